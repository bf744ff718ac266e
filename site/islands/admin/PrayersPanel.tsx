import type { Administrator } from '#db/access/schema.ts'
import { RETENTION_MAXIMUM, retention, type Settings } from '#db/settings/schema.ts'
import type { AdminPage } from '#site/lib/admin-page.ts'
import { useChangeable } from '#site/lib/hooks.ts'
import { useForm } from '#site/lib/use-form.ts'
import { administrators } from '#site/stores/admin/administrators.ts'
import { changePrayers, settings } from '#site/stores/admin/settings.ts'
import { numberText } from '#site/texts/dates.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Checkbox, Field } from '#site/ui/Field.tsx'
import { Loaded, Panel } from '#site/ui/Panel.tsx'

/** Whether the form asks for prayer requests, and how long they are kept. */
export function PrayersPanel({ admin }: { admin: AdminPage }) {
  const reading = useChangeable(admin.settings, settings)

  return (
    <Panel
      id="prayers"
      title={t('Prayer requests')}
      description={t(
        'The form can ask for them in a field of their own, and for whom they are. They have a page of their own, and are in no list.',
      )}
    >
      <Loaded reading={reading}>
        {(data) => (
          <div className="stack">
            <PrayersForm stored={data} />
            {data.prayers && !admin.open && <NoPastorNote />}
          </div>
        )}
      </Loaded>
    </Panel>
  )
}

function PrayersForm({ stored }: { stored: Settings }) {
  const { form, errors, pending } = useForm(async (text, refuse) => {
    const typed = text('prayerDays').trim()
    const prayerDays = typed === '' ? null : Number(typed)
    if (prayerDays !== null && !retention.safeParse({ days: prayerDays }).success) {
      const maximum = numberText(RETENTION_MAXIMUM)
      return refuse(t('Type a whole number of days, from 1 to {maximum}.', { maximum }), 'prayerDays')
    }
    return changePrayers(stored, { prayers: text('prayers') !== '', prayerDays }, refuse)
  })

  return (
    <form {...form} className="stack needs-script" aria-label={t('Prayer requests')}>
      <Checkbox name="prayers" defaultChecked={stored.prayers}>
        {t('Ask for prayer requests in the form')}
      </Checkbox>
      <Field
        label={t('Erase each after so many days')}
        name="prayerDays"
        inputMode="numeric"
        autoComplete="off"
        defaultValue={stored.prayerDays ?? ''}
        hint={t('Left empty, it is kept as long as the response.')}
        error={errors.prayerDays}
      />
      <Button type="submit" aria-disabled={pending || undefined}>
        {t('Save')}
      </Button>
    </form>
  )
}

function NoPastorNote() {
  const people = useChangeable<Administrator[]>(undefined, administrators).data
  if (!people || people.some(({ prayers }) => prayers === 'pastor')) return null
  return (
    <p className="notice notice--warning" role="status">
      {t('No one may read the prayer requests for the pastor yet: press Change beside a name to choose who may.')}{' '}
      <a href="#administrators">{t('Administrators')}</a>
    </p>
  )
}
