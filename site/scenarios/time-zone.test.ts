import { beforeAll, expect, it } from 'vitest'
import { addDays, weekdayOf } from '#db/values/dates.ts'
import { printNote } from '#site/lib/days.ts'
import { ask } from '#site/scenarios/fixtures.ts'
import { administeredSite, asVisitor, inSiteDatabase } from '#site/scenarios/guarded-fixtures.ts'
import { testRsvp } from '#testing/database-fixtures.ts'

const site = administeredSite({ TZ: 'UTC' })
const CREATED = '2025-01-05T20:00:00.000Z'
const CHANGED = '2025-01-06T05:00:00.000Z'

beforeAll(async () => {
  await ask(site(), 'PATCH /api/settings', { json: { publicNames: 'full' } })
  await ask(site(), 'POST /api/rsvp', { json: testRsvp() })
})

/** Confirms a schedule in a zone, whose service is three days away in all of them, and the RSVP is for that service. */
async function confirm(timeZone: string): Promise<void> {
  const weekday = weekdayOf(addDays(new Date().toISOString().slice(0, 10), 3))
  const reply = await ask(site(), 'PATCH /api/schedule', { json: { weekday, timeZone } })
  const date = JSON.parse(reply.body).services[0].date
  inSiteDatabase(site(), (database) =>
    database.exec(`UPDATE rsvps SET created_at = '${CREATED}', changed_at = '${CHANGED}', service_date = '${date}'`),
  )
}

it.each([
  ['Asia/Kolkata', 'Jan 6, 2025', '10:30 AM'],
  ['Pacific/Apia', 'Jan 6, 2025', '6:00 PM'],
])('all pages show days and times of %s where the schedule is there', async (zone, created, changed) => {
  await confirm(zone)
  const before = printNote(new Date(), zone)
  const visitor = asVisitor(site())
  // The second time it is kept in memory.
  const main = [await ask(visitor, 'GET /'), await ask(visitor, 'GET /')]
  const [admin, sheet] = [await ask(site(), 'GET /admin?week=all'), await ask(site(), 'GET /admin/sheet')]
  const notes = [before, printNote(new Date(), zone)]
  for (const { body } of [...main, admin, sheet]) expect(notes).toContain(/As of [^<]*/.exec(body)?.[0])
  for (const { body } of main) expect(body).toContain(`>${created}</td>`)
  expect(momentsIn(admin?.body)).toBe(`${created}changed ${changed}`)
})

/** When the RSVP came and was changed, as a page says it. */
function momentsIn(page = ''): string | undefined {
  const text = page.replace(/<[^>]*>/g, '').replaceAll('\u202f', ' ')
  return /Jan \d+, 2025changed .*?[AP]M/.exec(text)?.[0]
}
