import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { addDays } from '#db/values/dates.ts'
import { expect, type Site } from './fixtures.ts'

/** A response as the form sends it; override what matters to the test. */
export function testRsvp(changes: Record<string, unknown> = {}) {
  return { name: 'Ana Cole', email: 'ana@cole.example', attending: true, ...changes }
}

/** The day of a timestamp as the pages show it. Not the current day, which changes if a test runs at midnight. */
export function dayOf(moment: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' }).format(new Date(moment))
}

/** Sends JSON to the server without the browser, like another client. @returns what the server replies. */
export async function send(site: Pick<Site, 'url'>, method: string, path: string, body?: unknown) {
  const headers = { 'Content-Type': 'application/json' }
  const reply = await fetch(site.url + path, { method, headers, body: JSON.stringify(body) })
  const text = await reply.text()
  expect(reply.ok, `${method} ${path}: ${text}`).toBe(true)
  return text === '' ? undefined : JSON.parse(text)
}

export async function read(site: Pick<Site, 'url'>, path: string) {
  return (await fetch(site.url + path)).json()
}

/** An event as sent by another client. */
export const event = {
  title: 'Harvest',
  subtitle: 's',
  description: 'd',
  date: 'Oct 4',
  time: '10 AM',
  location: 'Hall',
}

export const readEvent = (site: Pick<Site, 'url'>) => read(site, '/api/event')

/** The stored responses, newest first. */
export const readRsvps = (site: Pick<Site, 'url'>) => read(site, '/api/rsvps')

/** Stores responses, oldest first. */
export async function storeRsvps(site: Site, responses: Record<string, unknown>[]): Promise<void> {
  for (const response of responses) await send(site, 'POST', '/api/rsvp', response)
}

/** Stores a response, and returns its private link. */
export async function storeLinked(site: Site, changes: Record<string, unknown> = {}): Promise<string> {
  return (await send(site, 'POST', '/api/rsvp', testRsvp(changes))).link
}

/** Responses with different names; every third one is not attending. */
export function testRsvps(count: number) {
  return Array.from({ length: count }, (_, position) =>
    testRsvp({ name: `Visitor ${position + 1}`, attending: position % 3 !== 2 }),
  )
}

export function openDatabase(site: Site): DatabaseSync {
  return new DatabaseSync(join(site.folder, 'rsvp.db'), { timeout: 60_000 })
}

/** Changes what is stored behind the back of the server. */
export function changeDatabase(site: Site, statement: string): void {
  const database = openDatabase(site)
  database.exec(statement)
  database.close()
}

/** The days of the services before this week's, of this week's, and of the next one. */
export type Weeks = { before: string; this: string; next: string }

/** A time zone in which it is noon: no day begins while a test runs. */
function zoneAtNoon(): string {
  const hours = new Date().getUTCHours() - 12
  // West of Greenwich is plus here.
  return `Etc/GMT${hours < 0 ? '-' : '+'}${Math.abs(hours)}`
}

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
    timeZone: zoneAtNoon(),
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
