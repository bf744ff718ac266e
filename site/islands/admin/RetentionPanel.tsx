import type { Settings } from '#db/settings/schema.ts'
import { plural } from '#site/texts/plural.ts'
import { t } from '#site/texts/texts.ts'
import { Panel } from '#site/ui/Panel.tsx'

/** How long responses are kept. It is set on the terminal, where what is due at once is counted before. */
export function RetentionPanel({ settings, restorableDays }: { settings: Settings | null; restorableDays: number }) {
  if (settings === null) return null
  const { retentionDays } = settings
  const kept =
    retentionDays === null
      ? t('Until you delete them.')
      : `${plural(retentionDays, 'For one day.', 'For {count} days.')} ${t('After that names, contact details and messages are removed, and only the numbers stay.')}`
  const restored = plural(
    restorableDays,
    'A deleted response can be restored for {count} day.',
    'A deleted response can be restored for {count} days.',
  )
  return (
    <Panel title={t('How Long Responses Are Kept')} description={`${kept} ${restored}`}>
      <p>
        {t('It is changed on the server, which first says how many are older already:')}{' '}
        <code>rsvp settings retentionDays=90</code>
      </p>
    </Panel>
  )
}
