import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import type { Account } from '#db/values/access.ts'
import { account } from '#site/stores/admin/administrators.ts'
import { $proofAsked, cancelProof, prove } from '#site/stores/admin/attempt.ts'
import { useChangeable } from '#site/stores/admin/changeable.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Modal } from '#site/ui/Dialog.tsx'
import { Field } from '#site/ui/Field.tsx'
import { Form, FormFailed, Submit, useForm } from './Form.tsx'

/** Asks for the password or a passkey once more, whenever a call needs it. A page has one of them. */
export function ProofDialog({ rendered }: { rendered: Account | undefined }) {
  return useStore($proofAsked) && <ProofForm rendered={rendered} />
}

function ProofForm({ rendered }: { rendered: Account | undefined }) {
  // Until it is known, e.g. on a slow line, the password is asked for.
  const known = useChangeable(rendered, account).data
  const hasPassword = known?.hasPassword !== false
  const passkey = useRef<HTMLButtonElement>(null)
  // A dialog that opens focuses its first control, which may be Cancel.
  useEffect(() => {
    if (!hasPassword) passkey.current?.focus()
  }, [hasPassword])
  const form = useForm((text, refuse) => prove(text('password'), refuse))
  const provePasskey = () => form.run((_, refuse) => prove(undefined, (reason) => refuse(reason, 'form')))

  return (
    <Modal aria-label={t('Confirm that it is you')} aria-describedby="proof-why" onDismiss={cancelProof}>
      <Form of={form} className="dialog__body">
        <h2 className="dialog__title">{t('Confirm that it is you')}</h2>
        <p className="dialog__message" id="proof-why">
          {t('For this step, because your last sign-in was more than ten minutes ago.')}
        </p>
        {/* Password managers look for a username. */}
        <input name="username" autoComplete="username" value={known?.email ?? ''} hidden readOnly />
        {hasPassword && <Field label={t('Password')} name="password" type="password" autoComplete="current-password" />}
        <FormFailed />
        <div className="flow dialog__actions">
          <Button variant="secondary" onClick={cancelProof}>
            {t('Cancel')}
          </Button>
          {known && known.passkeys.length > 0 && (
            <Button
              ref={passkey}
              variant={hasPassword ? 'secondary' : 'primary'}
              aria-disabled={form.pending || undefined}
              onClick={provePasskey}
            >
              {t('Use a passkey')}
            </Button>
          )}
          {hasPassword && <Submit>{t('Confirm')}</Submit>}
        </div>
      </Form>
    </Modal>
  )
}
