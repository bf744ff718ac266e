import { beforeEach, expect, it } from 'vitest'
import { testCall, testRsvp } from '#db/fixtures.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { getSchedule } from '#db/schedule/operations.ts'
import { inDatabase, rsvp, rsvpDrawn, testClock, testDatabase } from '../fixtures.ts'

const { url } = testDatabase()
/** A Wednesday. */
const now = new Date('2026-11-18T12:00:00.000Z')
const call = testCall({ now })
const schedule = (...words: string[]) => rsvp(url, ['schedule', ...words])

testClock(now)
beforeEach(async () => {
  inDatabase(url, (database) => database.exec('DELETE FROM rsvps; DELETE FROM schedules; DELETE FROM skipped_dates'))
  await schedule('--time-zone', 'America/Chicago')
})

it('rsvp schedule shows what holds, and says after a change what holds and who moved along', async () => {
  const service = 'Service\t2026-11-21\t2026-11-21T16:00:00.000Z\t2026-11-21T18:00:00.000Z\n'
  expect((await schedule()).stdout).toMatch(new RegExp(`^Weekday\tSaturday\nTime\t10:00\n(.+\n)*${service}(.+\n){7}$`))
  expect((await rsvpDrawn(url, ['schedule'])).screen()).toMatch(/^Next services {4}Saturday, November 21$/m)
  await createRsvp(testRsvp(), call)
  const { stderr } = await schedule('--weekday', 'sunday', '--closes', '2h')
  expect(stderr.split('\n')).toEqual([
    'Services are on Sundays at 10:00 AM (America/Chicago), 2 hours long. RSVPs close 2 hours before the service starts.',
    '1 response moved along to the new day.',
    'The event’s date names another day than the schedule, which says Sunday. Change the one that is wrong.',
    '',
  ])
})

it('rsvp schedule skips services, says who had responded, tells them by mail, and holds them after all', async () => {
  await createRsvp(testRsvp(), call)
  const env = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'rsvp@example.org' }
  const words = ['schedule', '--skip', '2026-11-21', '2026-12-26', '--reason', 'The heating is broken.']
  const skipped = await rsvp(url, words, { env })
  expect(skipped.stderr).toMatch(
    /^Saturday, November 21 is skipped\. .*1 response.*\nSaturday, December 26 is skipped\.\n/,
  )
  expect((await rsvp(url, ['mail', 'queue'], { env })).stderr).toBe('1 message waiting.\n')
  const unskipped = await schedule('--unskip', '2026-11-28', '2026-12-26')
  expect(unskipped).toMatchObject({ code: 3, stderr: expect.stringContaining('November 28 is not skipped.\n') })
  expect(await getSchedule(call)).toMatchObject({ skippedDates: ['2026-11-21'] })
})

it.each([
  [['--weekday', 'someday'], 2],
  [['--duration', '90 x'], 2],
  [['--skip', '2026-12-26', '2026-12-25'], 2],
  [['--reason', 'None'], 2],
])('rsvp schedule refuses %j, and changes nothing', async (words, code) => {
  const stderr = expect.stringContaining('\nsee rsvp schedule --help\n')
  expect(await schedule(...words)).toMatchObject({ code, stdout: '', stderr })
  expect(await getSchedule(call)).toMatchObject({ weekday: 6, skippedDates: [] })
})
