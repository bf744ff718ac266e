import type { Administrator } from '#db/access/schema.ts'
import { prayerAccess } from '#db/prayer/schema.ts'
import type { Settings } from '#db/settings/schema.ts'
import type { AdminPage } from '#site/lib/admin-page.ts'
import { useChangeable } from '#site/lib/hooks.ts'
import { useForm } from '#site/lib/use-form.ts'
import { administrators, saveAdministrator } from '#site/stores/admin/administrators.ts'
import { changePrayers, settings } from '#site/stores/admin/settings.ts'
import { addErrorToast } from '#site/stores/toasts.ts'
import { plural, t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Checkbox, Field } from '#site/ui/Field.tsx'
import { Loaded, Panel } from '#site/ui/Panel.tsx'

const usualDays = [7, 30, 90, 365]

/** Whether the form asks for prayer requests, how long they are kept, and who reads them. */
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
      <Loaded reading={reading}>{(data) => <PrayersForm stored={data} />}</Loaded>
      {!admin.open && <Readers asks={reading.data?.prayers === true} />}
    </Panel>
  )
}

function PrayersForm({ stored }: { stored: Settings }) {
  const { prayers, prayerDays } = stored
  const { form, pending } = useForm((text) => {
    const days = text('prayerDays')
    return changePrayers(stored, { prayers: text('prayers') !== '', prayerDays: days === '' ? null : Number(days) })
  })
  const days = new Set([...usualDays, ...(prayerDays === null ? [] : [prayerDays])])

  return (
    <form {...form} className="stack needs-script" aria-label={t('Prayer requests')}>
      <Checkbox name="prayers" defaultChecked={prayers}>
        {t('Ask for prayer requests in the form')}
      </Checkbox>
      <Field as="select" label={t('Keep each prayer request')} name="prayerDays" defaultValue={prayerDays ?? ''}>
        {[...days].map((count) => (
          <option key={count} value={count}>
            {plural(count, '{count} day', '{count} days')}
          </option>
        ))}
        <option value="">{t('As long as the response')}</option>
      </Field>
      <Button type="submit" aria-disabled={pending || undefined}>
        {t('Save')}
      </Button>
    </form>
  )
}

/** Each choice counts at once. */
function Readers({ asks }: { asks: boolean }) {
  const reading = useChangeable<Administrator[]>(undefined, administrators)
  const labels = {
    none: t('Reads no prayer requests'),
    group: t('Those shared with those who pray'),
    pastor: t('All of them'),
  }
  return (
    <div className="stack part needs-script">
      <h3>{t('Who reads them')}</h3>
      <Loaded reading={reading}>
        {(people) => (
          <>
            {people.map((person) => (
              <Field
                key={person.id}
                as="select"
                label={<bdi>{person.name}</bdi>}
                value={person.prayers}
                onChange={({ currentTarget: { value } }) => {
                  const prayers = prayerAccess.find((access) => access === value) ?? 'none'
                  saveAdministrator(person, { prayers }, addErrorToast)
                }}
              >
                {prayerAccess.map((access) => (
                  <option key={access} value={access}>
                    {labels[access]}
                  </option>
                ))}
              </Field>
            ))}
            {asks && people.every(({ prayers }) => prayers !== 'pastor') && (
              <p className="notice notice--warning" role="status">
                {t('No one reads those for the pastor yet.')}
              </p>
            )}
          </>
        )}
      </Loaded>
    </div>
  )
}
