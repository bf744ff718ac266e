import type { Settings } from '#db/settings/schema.ts'
import { Panel } from '#site/ui/Panel.tsx'

/** How long responses are kept. It is set on the terminal, where what is due at once is counted before. */
export function RetentionPanel({ settings, restorableDays }: { settings: Settings | null; restorableDays: number }) {
  if (settings === null) return null
  const { retentionDays } = settings
  const kept =
    retentionDays === null
      ? 'Until you delete them.'
      : `For ${days(retentionDays)}. After that names, contact details and messages are removed, and only the numbers stay.`
  const restored = `A deleted response can be restored for ${days(restorableDays)}.`
  return (
    <Panel title="How Long Responses Are Kept" description={`${kept} ${restored}`}>
      <p>
        It is changed on the server, which first says how many are older already:{' '}
        <code>npx rsvp settings retention 90d</code>
      </p>
    </Panel>
  )
}

function days(count: number): string {
  return count === 1 ? 'one day' : `${count.toLocaleString('en-US')} days`
}
