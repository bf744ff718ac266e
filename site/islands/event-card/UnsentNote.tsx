import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { sendEvent } from '#site/stores/admin/event-changes.ts'
import { $eventSync } from '#site/stores/event.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Sentence } from '#site/ui/Sentence.tsx'

/** Says that a change has not reached the server, and what to do about it. */
export function UnsentNote({
  lead = t('Saved on this device, not sent yet.'),
  mayEdit,
  onCompare,
}: {
  lead?: string
  mayEdit: boolean
  /** Without it, a link opens the page that compares the versions. */
  onCompare?: (() => void) | undefined
}) {
  const sync = useStore($eventSync)
  const [resending, setResending] = useState(false)
  const signedOut = sync.state === 'unsent' && sync.signedOut
  const conflict = sync.state === 'conflict'
  // Also for a change made in another tab, which may be closed.
  const canResend = sync.state !== 'sending' && !signedOut && !conflict
  useEffect(() => {
    if (!canResend) return
    addEventListener('online', sendEvent)
    return () => removeEventListener('online', sendEvent)
  }, [canResend])

  async function resend() {
    if (resending) return
    setResending(true)
    await sendEvent()
    setResending(false)
    // If the button has gone, the focus moves to the control that replaced it, or to the next one.
    if (document.activeElement !== document.body) return
    const link = document.querySelector<HTMLElement>('.unsent-note a')
    const next = link ?? document.querySelector<HTMLElement>('.invitation__edit, [role=tab][aria-selected=true]')
    next?.focus()
  }

  if (sync.state === 'sending' && !resending) return null
  return (
    <div className="flow unsent-note" role="status">
      <p>{lead}</p>
      {conflict && <p>{t('Someone else has changed the event in the meantime.')}</p>}
      {conflict && onCompare && (
        <Button variant="quiet" onClick={onCompare}>
          {t('Compare Versions')}
        </Button>
      )}
      {conflict && !onCompare && mayEdit && <a href="/">{t('Compare Versions')}</a>}
      {signedOut && (
        <p>
          <Sentence text="You are no longer signed in. {link} to send it." link={<a href="/admin">{t('Sign in')}</a>} />
        </p>
      )}
      {(canResend || sync.state === 'sending') && (
        <Button variant="quiet" aria-disabled={resending || undefined} onClick={resend}>
          {t('Send Again')}
        </Button>
      )}
    </div>
  )
}
