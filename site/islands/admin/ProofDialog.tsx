import { useStore } from '@nanostores/react'
import { type SubmitEvent, useId, useRef, useState } from 'react'
import type { Account } from '#db/access/schema.ts'
import { $proofAsked, cancelProof, provePasskey, provePassword } from '#site/stores/admin/proof.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Modal } from '#site/ui/Dialog.tsx'
import { Field, FieldError } from '#site/ui/Field.tsx'

/** Asks for the password or a passkey once more, whenever a call needs it. Once on a page. */
export function ProofDialog() {
  const asked = useStore($proofAsked)
  return asked && <ProofForm account={asked.account} />
}

function ProofForm({ account }: { account: Account | undefined }) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [state, setState] = useState<{ pending: boolean; refused?: string | undefined }>({ pending: false })
  const { pending, refused } = state
  const hasPassword = account?.hasPassword !== false

  async function prove(given: Promise<string | undefined>) {
    setState({ pending: true })
    setState({ pending: false, refused: await given })
    field.current?.select()
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (pending) return
    prove(provePassword(String(new FormData(event.currentTarget).get('password'))))
  }

  return (
    <Modal aria-labelledby={`${id}-title`} aria-describedby={`${id}-why`} onDismiss={cancelProof}>
      <form className="dialog__body" noValidate onSubmit={submit}>
        <h2 className="dialog__title" id={`${id}-title`}>
          {t('Confirm that it is you')}
        </h2>
        <p className="dialog__message" id={`${id}-why`}>
          {t('For this step, because your last sign-in was more than ten minutes ago.')}
        </p>
        {/* Password managers look for it. */}
        <input name="username" autoComplete="username" value={account?.email ?? ''} hidden readOnly />
        {hasPassword ? (
          <Field
            label={t('Password')}
            ref={field}
            name="password"
            type="password"
            autoComplete="current-password"
            error={refused}
          />
        ) : (
          <FieldError role="alert">{refused}</FieldError>
        )}
        <div className="dialog__actions">
          <Button variant="secondary" onClick={cancelProof}>
            {t('Cancel')}
          </Button>
          {account !== undefined && account.passkeys.length > 0 && (
            <Button
              variant={hasPassword ? 'secondary' : 'primary'}
              aria-disabled={pending || undefined}
              onClick={() => pending || prove(provePasskey())}
            >
              {t('Use a passkey')}
            </Button>
          )}
          {hasPassword && (
            <Button type="submit" aria-disabled={pending || undefined}>
              {t('Confirm')}
            </Button>
          )}
        </div>
      </form>
    </Modal>
  )
}
