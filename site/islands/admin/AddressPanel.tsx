import { type SubmitEvent, useState } from 'react'
import type { Settings } from '#db/settings/schema.ts'
import type { AdminPage } from '#site/lib/admin-page.ts'
import { useChangeable } from '#site/lib/hooks.ts'
import { changePublicUrl, settings } from '#site/stores/admin/settings.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Field } from '#site/ui/Field.tsx'
import { Loaded, Panel } from '#site/ui/Panel.tsx'

/** The address people use: given by the settings of the server, or else chosen here. */
export function AddressPanel({ admin }: { admin: AdminPage }) {
  const reading = useChangeable(admin.settings, settings)

  return (
    <Panel id="address" title={t('Public Address')} description={t('Links, invitations and passkeys use it.')}>
      {admin.givenPublicUrl === undefined ? (
        <Loaded reading={reading} loading={t('Loading settings...')} failed={t('The settings could not be loaded.')}>
          {(data) => <AddressForm stored={data} />}
        </Loaded>
      ) : (
        <div className="keeping">
          <p dir="auto">{admin.givenPublicUrl}</p>
          <p>{t('The settings of the server give it, as PUBLIC_URL. It is changed there.')}</p>
        </div>
      )}
    </Panel>
  )
}

function AddressForm({ stored }: { stored: Settings }) {
  const [typed, setTyped] = useState<string>()
  const [error, setError] = useState<string>()
  const [isChecking, setChecking] = useState(false)
  const address = typed ?? stored.publicUrl ?? ''

  async function save(submitted: SubmitEvent<HTMLFormElement>) {
    submitted.preventDefault()
    if (isChecking) return
    setChecking(true)
    setError(undefined)
    const isStored = await changePublicUrl(stored, address.trim() || null, setError)
    setChecking(false)
    if (isStored) setTyped(undefined)
  }

  return (
    <form className="church" aria-label={t('Public Address')} onSubmit={save} noValidate>
      <Field
        label={t('Address')}
        name="publicUrl"
        type="url"
        dir="ltr"
        placeholder="https://rsvp.example.org"
        autoComplete="off"
        value={address}
        error={error}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <p className="church__hint">
        {t('It is saved only if it leads to this site. After that, open the site there and sign in once more.')}
      </p>
      <div>
        <Button type="submit" aria-disabled={isChecking || undefined}>
          {isChecking ? t('Checking...') : t('Check and Save')}
        </Button>
      </div>
    </form>
  )
}
