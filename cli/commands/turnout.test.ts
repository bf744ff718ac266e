import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { testCall, testRsvp } from '#db/fixtures.ts'
import { changeSchedule } from '#db/rsvp/service-dates.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { changeTurnout, listTurnouts } from '#db/turnout/operations.ts'
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
beforeEach(async () => {
  for (const { date } of await stored()) await changeTurnout({ date, turnout: null }, testCall())
})

const stored = () => listTurnouts({ from: '2000-01-01', until: '2199-12-31' }, testCall())
const turnout = (...words: string[]) => rsvp(url, ['turnout', ...words])

describe('rsvp turnout', () => {
  it('stores how many came, says what it was before, and removes it', async () => {
    const day = 'Saturday, November 21, 2026'
    const said: [string, string][] = [
      ['none', `${day} has no turnout.`],
      ['87', `87 people came on ${day}.`],
      ['1', `1 person came on ${day}. Before, the number was 87.`],
      ['1', `1 person came on ${day}.`],
      ['none', `The turnout of ${day} is removed: 1.`],
    ]
    for (const [people, sentence] of said)
      expect(await turnout('This', people)).toMatchObject({ code: 0, stdout: '', stderr: `${sentence}\n` })
  })

  it.each([
    ['this', '2026-11-21'],
    ['last', '2026-11-14'],
    ['2025-01-04', '2025-01-04'],
  ])('takes %s for %s', async (word, date) => {
    const { code, stdout, stderr } = await turnout(word, '87', '--json', '--quiet')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual({ date, turnout: 87, countedAt: expect.stringMatching(/^2026-11-21T17:00/) })
  })

  it.each([
    [['next', '87'], /^"next" is not a service\. Give this, last, or the day of one/],
    [['2026-11-28', '87'], /^The service on Saturday, November 28, 2026 is still to come\./],
    [['this', 'many'], /Give the number of people who came, e\.g\. 87, or none to remove it\./],
  ])('refuses %j as wrong usage', async (words, sentence) => {
    expect(await turnout(...words)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(sentence) })
    expect(await stored()).toEqual([])
  })

  it('says last where this week’s service is still to come, e.g. once the one just counted is over', async () => {
    vi.setSystemTime('2026-11-21T18:30:00Z')
    expect(await turnout('this', '87')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^This week's service is on Saturday, November 28, 2026 and still to come\. Use last for the one on Saturday, November 21, 2026\./,
      ),
    })
    expect(await turnout('last', '87')).toMatchObject({ code: 0 })
    expect(await stored()).toMatchObject([{ date: '2026-11-21', people: 87 }])
  })
})

describe('rsvp stats of a week', () => {
  const stats = async (...words: string[]) => (await rsvp(url, ['stats', ...words])).stdout

  it('says in a pipe and in JSON how many came, and nothing where no one counted', async () => {
    expect(await stats('--week', 'this')).not.toContain('People who came')
    expect(JSON.parse(await stats('--week', 'this', '--json'))).toMatchObject({ turnout: null })
    await turnout('this', '87')
    expect(await stats('--week', 'this')).toContain('People expected\t1\nPeople who came\t87\nAdults\t1\n')
    expect(JSON.parse(await stats('--week', 'this', '--json'))).toMatchObject({ turnout: 87, people: { expected: 1 } })
    expect(JSON.parse(await stats('--week', 'all', '--json'))).not.toHaveProperty('turnout')
  })
})
