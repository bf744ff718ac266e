import { type SubmitEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { focusFailure } from '#site/lib/form-focus.ts'
import { countRsvpsOf, eraseRsvpsOf } from '#site/stores/admin/erasing.ts'
import { plural, t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { ConfirmDialog } from '#site/ui/Dialog.tsx'
import { Field } from '#site/ui/Field.tsx'
import { Panel } from '#site/ui/Panel.tsx'

/** Erases everything that one person has sent, when that person asks for it. */
export function ErasePanel() {
  const [email, setEmail] = useState('')
  const [error, setError] = useState<string>()
  const [found, setFound] = useState<{ email: string; count: number }>()
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  async function find(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    setError(undefined)
    setFound(undefined)
    const count = await countRsvpsOf(email, (reason) => flushSync(() => setError(reason)))
    if (count === undefined) focusFailure(form.current, undefined)
    else setFound({ email, count })
  }

  async function erase() {
    setBusy(true)
    await eraseRsvpsOf(email)
    setBusy(false)
    setFound(undefined)
  }

  return (
    <Panel
      id="erasing"
      title={t('Erase for Good')}
      description={t(
        'When someone asks for it: all responses sent with an email address, the deleted ones included. First make sure that the address belongs to the one who asks.',
      )}
    >
      <form
        className="keeping needs-script"
        aria-label={t('Erase for Good')}
        ref={form}
        method="dialog"
        onSubmit={find}
        noValidate
      >
        <Field
          label={t('Email')}
          type="email"
          autoComplete="off"
          value={email}
          error={error}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        />
        <Button type="submit" variant="secondary">
          {t('Find Responses')}
        </Button>
        <p role="status">{found?.count === 0 && t('Nothing is stored under that address.')}</p>
      </form>
      {found !== undefined && found.count > 0 && (
        <ConfirmDialog
          title={plural(found.count, 'Erase {count} response for good?', 'Erase {count} responses for good?')}
          confirmLabel={t('Erase')}
          destructive
          busy={busy}
          onCancel={() => setFound(undefined)}
          onConfirm={erase}
        >
          <bdi>{found.email}</bdi>
          <br />
          {t('This cannot be undone. Only older backups hold them then.')}
        </ConfirmDialog>
      )}
    </Panel>
  )
}
