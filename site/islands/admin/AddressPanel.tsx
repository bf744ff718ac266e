import type { Settings } from '#db/settings/schema.ts'
import type { AdminPage } from '#site/lib/admin-page.ts'
import { useChangeable } from '#site/lib/hooks.ts'
import { useForm } from '#site/lib/use-form.ts'
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
        <Loaded reading={reading}>{(data) => <AddressForm stored={data} />}</Loaded>
      ) : (
        <div className="stack">
          <p dir="auto">{admin.givenPublicUrl}</p>
          <p>{t('The settings of the server give it, as PUBLIC_URL. It is changed there.')}</p>
        </div>
      )}
    </Panel>
  )
}

function AddressForm({ stored }: { stored: Settings }) {
  const { form, errors, pending } = useForm((text, refuse) =>
    changePublicUrl(stored, text('publicUrl').trim() || null, refuse),
  )
  return (
    <form {...form} className="stack" aria-label={t('Public Address')}>
      <Field
        label={t('Address')}
        name="publicUrl"
        type="url"
        dir="ltr"
        placeholder="https://rsvp.example.org"
        autoComplete="off"
        defaultValue={stored.publicUrl ?? ''}
        hint={t('It is saved only if it leads to this site. After that, open the site there and sign in once more.')}
        error={errors.publicUrl}
      />
      <Button type="submit" aria-disabled={pending || undefined}>
        {pending ? t('Checking...') : t('Check and Save')}
      </Button>
    </form>
  )
}
