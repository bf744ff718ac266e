import { addDays } from '#db/values/dates.ts'
import { changeDatabase, openDatabase, type Site, send, storeRsvps, testRsvps } from './fixtures.ts'

/** The days of the services before this week's, of this week's, and of the next one. */
export type Weeks = { before: string; this: string; next: string }

/**
 * Confirms a schedule whose service is three days away, so that no week ends while a test runs.
 * @param skipped how many weeks ago a service was skipped.
 * @param days how far away it is instead: with 6, the last one was yesterday.
 */
export async function confirmSchedule(site: Site, skipped: number[] = [], days = 3): Promise<Weeks> {
  const soon = addDays(new Date().toISOString().slice(0, 10), days)
  await send(site, 'PATCH', '/api/schedule', {
    weekday: new Date(soon).getUTCDay(),
    startTime: '10:00',
    timeZone: 'UTC',
    skippedDates: skipped.map((weeks) => addDays(soon, -7 * weeks)),
  })
  return { before: addDays(soon, -7), this: soon, next: addDays(soon, 7) }
}

/** Makes the responses of a visitor, or of all whose name begins so, those for the service on a day. */
export function moveToWeek(site: Site, name: string, date: string): void {
  const database = openDatabase(site)
  database.prepare('UPDATE rsvps SET service_date = ? WHERE name LIKE ?').run(date, `${name}%`)
  database.close()
}

/** Stores many responses directly in the database, because a call for each would take too long. */
export async function storeManyRsvps(site: Site, count: number): Promise<void> {
  await storeRsvps(site, testRsvps(1))
  changeDatabase(
    site,
    `CREATE TEMP TABLE copies AS WITH RECURSIVE numbers (n) AS
    (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count}) SELECT rsvps.*, n FROM rsvps, numbers;
    UPDATE copies SET id = n, name = 'Visitor ' || n, key = key || '-' || n, link_hash = NULL;
    ALTER TABLE copies DROP COLUMN n;
    INSERT INTO rsvps SELECT * FROM copies`,
  )
}
