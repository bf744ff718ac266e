import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { sendEvent } from '#site/stores/admin/event-changes.ts'
import type { Conflict } from '#site/stores/admin/event-conflict.ts'
import { $eventSync } from '#site/stores/event.ts'
import { Button } from '#site/ui/Button.tsx'

/** Says quietly that a change has not reached the server, and what to do about it. */
export function UnsentNote({
  lead = 'Saved on this device, not sent yet.',
  conflict,
  mayEdit,
  onCompare,
}: {
  lead?: string
  conflict: Conflict | undefined
  mayEdit: boolean
  /** Where the versions cannot be compared on this page, a link leads to where they can. */
  onCompare?: (() => void) | undefined
}) {
  const sync = useStore($eventSync)
  const [resending, setResending] = useState(false)
  const signedOut = sync.state === 'unsent' && sync.signedOut
  // Also where the change was made in another tab, which may be closed by now.
  const waiting = sync.state !== 'sending' && !signedOut && !conflict
  useEffect(() => {
    if (!waiting) return
    addEventListener('online', sendEvent)
    return () => removeEventListener('online', sendEvent)
  }, [waiting])

  async function resend() {
    if (resending) return
    setResending(true)
    await sendEvent()
    setResending(false)
    // Where the button has gone, the keyboard goes on at what has come in its place, or is the next to be used.
    if (document.activeElement !== document.body) return
    document.querySelector<HTMLElement>('.unsent-note a, .invitation__edit, [role=tab][aria-selected=true]')?.focus()
  }

  if (sync.state === 'sending' && !resending) return null
  return (
    <div className="unsent-note" role="status">
      <p>{lead}</p>
      {conflict && (
        <p>
          {conflict.inOtherTab
            ? 'The event was changed in another tab as well.'
            : 'Somebody else has changed the event meanwhile.'}
        </p>
      )}
      {conflict && onCompare && (
        <Button variant="quiet" onClick={onCompare}>
          Compare Versions
        </Button>
      )}
      {conflict && !onCompare && mayEdit && <a href="/">Compare Versions</a>}
      {signedOut && (
        <p>
          You are no longer signed in. <a href="/admin">Sign in</a> to send it.
        </p>
      )}
      {(waiting || sync.state === 'sending') && (
        <Button variant="quiet" aria-disabled={resending || undefined} onClick={resend}>
          Send Again
        </Button>
      )}
    </div>
  )
}
