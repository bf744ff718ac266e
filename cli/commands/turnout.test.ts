import { beforeAll, expect, it } from 'vitest'
import { testCall, testRsvp } from '#db/fixtures.ts'
import { changeSchedule } from '#db/rsvp/service-dates.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { rsvp, testClock, testDatabase } from '../fixtures.ts'

const { url } = testDatabase()
/** The service of November 21 is being held. */
const now = new Date('2026-11-21T17:00:00Z')

beforeAll(async () => {
  await changeSchedule({ timeZone: 'America/Chicago' }, testCall({ now }))
  await createRsvp(testRsvp({ serviceDate: '2026-11-21' }), testCall({ now: new Date('2026-11-20T12:00:00Z') }))
  // Loads the time zones before the clock is set: they keep the class of dates that they find.
  await rsvp(url, ['list', '--since', '2200-01-01'])
})
testClock(now)

it('rsvp turnout stores how many came, which stats say then, and removes it', async () => {
  const day = 'Saturday, November 21, 2026'
  const lines: [words: string[], code: number, stderr: RegExp][] = [
    [['next', '87'], 2, /^"next" is not a service\. Give this, last, or the day of one/],
    [['2026-11-28', '87'], 2, /^The service on Saturday, November 28, 2026 is still to come\./],
    [['this', 'many'], 2, /Give the number of people who came, e\.g\. 87, or none to remove it\./],
    [['last', '50'], 0, /^50 people came on Saturday, November 14, 2026\.\n$/],
    [['This', '87'], 0, new RegExp(`^87 people came on ${day}\\.\n$`)],
    [['2026-11-21', '1'], 0, new RegExp(`^1 person came on ${day}\\. Before, the number was 87\\.\n$`)],
  ]
  for (const [words, code, stderr] of lines)
    expect(await rsvp(url, ['turnout', ...words])).toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringMatching(stderr),
    })
  const stats = async () => (await rsvp(url, ['stats', '--week', 'this'])).stdout
  expect(await stats()).toContain('People expected\t1\nPeople who came\t1\nAdults\t1\n')
  const removed = await rsvp(url, ['turnout', 'this', 'none'])
  expect(removed.stderr).toBe(`The turnout of ${day} is removed: 1.\n`)
  expect(await stats()).not.toContain('People who came')
})
