import type { Administrator } from '#db/access/schema.ts'
import { RETENTION_MAXIMUM, retention, type Settings } from '#db/settings/schema.ts'
import { type AdminPage, PRAYERS } from '#site/lib/admin-page.ts'
import { useChangeable } from '#site/lib/hooks.ts'
import { useForm } from '#site/lib/use-form.ts'
import { administrators } from '#site/stores/admin/administrators.ts'
import { changePrayers, settings } from '#site/stores/admin/settings.ts'
import { numberText } from '#site/texts/dates.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Checkbox, Field, FieldError } from '#site/ui/Field.tsx'
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
            {data.prayers && admin.readsPrayers && (
              <p>
                <a href={PRAYERS}>{t('Read the prayer requests')}</a>
              </p>
            )}
          </div>
        )}
      </Loaded>
    </Panel>
  )
}

function PrayersForm({ stored }: { stored: Settings }) {
  const { form, errors, pending } = useForm((text, refuse) => {
    const typed = text('prayerDays').trim()
    const prayerDays = typed === '' ? null : Number(typed)
    if (prayerDays !== null && !retention.safeParse({ days: prayerDays }).success) {
      const maximum = numberText(RETENTION_MAXIMUM)
      refuse(t('Type a whole number of days, from 1 to {maximum}.', { maximum }), 'prayerDays')
      return Promise.resolve(false)
    }
    return changePrayers(stored, { prayers: text('prayers') !== '', prayerDays }, refuse)
  })
  const days = stored.prayerDays === null ? '' : String(stored.prayerDays)

  return (
    <form {...form} className="stack needs-script" aria-label={t('Prayer requests')}>
      <Checkbox name="prayers" key={`${stored.prayers}`} defaultChecked={stored.prayers}>
        {t('Ask for prayer requests in the form')}
      </Checkbox>
      <Field
        label={t('Erase each after so many days')}
        name="prayerDays"
        key={days}
        inputMode="numeric"
        autoComplete="off"
        defaultValue={days}
        hint={t('Left empty, it is kept as long as the response.')}
        error={errors.prayerDays}
      />
      <FieldError role="alert">{errors.form}</FieldError>
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
