import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { changeSchedule } from '#db/rsvp/change-schedule.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { transaction } from '#db/storage/client.ts'
import { auditEntries } from '#db/tables/access.ts'
import { schedules, skippedDates, turnouts } from '#db/tables/invitation.ts'
import { rsvps } from '#db/tables/rsvp.ts'
import { auditLines, emptyTables, invalidAt, openForTests, testCall, testRsvp } from '#testing/database-fixtures.ts'
import { recordAct } from './audit.ts'
import { changeTurnout, findUncountedService, getDefaultWeek, getTurnout, listTurnouts } from './turnout.ts'

/** In Chicago it is still Friday, November 20. */
const eve = testCall({ now: new Date('2026-11-21T05:59:59.999Z') })
/** There the day of the service has begun, ten hours before it starts. */
const morning = testCall({ now: new Date('2026-11-21T06:00:00.000Z') })
const morningAt = morning.now.toISOString()

async function storedTurnouts() {
  return listTurnouts('2000-01-01', '2199-12-31')
}

describe('turnout operations', () => {
  openForTests()
  beforeEach(async () => {
    await emptyTables(rsvps, schedules, skippedDates, turnouts, auditEntries)
    await changeSchedule({ timeZone: 'America/Chicago', skippedDates: ['2026-11-07'] }, eve)
  })

  it('store how many people came, the last number given, remove it once, and audit who counted', async () => {
    const counted = { date: '2026-11-14', countedAt: morningAt }
    await changeTurnout({ date: '2026-11-14', turnout: 87 }, morning)
    expect(await changeTurnout({ date: '2026-11-14', turnout: 91 }, morning)).toEqual({ ...counted, turnout: 91 })
    expect(await getTurnout('2026-11-14')).toBe(91)
    const removed = { date: '2026-11-14', turnout: null, countedAt: null }
    await respond('2026-11-14')
    for (const _ of [1, 2]) expect(await changeTurnout({ date: '2026-11-14', turnout: null }, morning)).toEqual(removed)
    expect(await getTurnout('2026-11-14')).toBeNull()
    expect((await auditLines()).filter((line) => line.includes('turnout'))).toEqual([
      'terminal: turnout counted 2026-11-14 87',
      'terminal: turnout counted 2026-11-14 91',
      'terminal: turnout removed 2026-11-14',
      'terminal: turnout skipped 2026-11-14',
    ])
  })

  const at = (now: string) => testCall({ now: new Date(now) })
  /** The service that the administration asks about, and the one that it shows. */
  const asked = async (now: string) => [await findUncountedService(at(now)), await getDefaultWeek(at(now))]
  // In Chicago the services of November end at noon.
  const [during, after] = ['2026-11-21T17:59:59.999Z', '2026-11-21T18:00:00.000Z']

  async function respond(...dates: string[]) {
    for (const serviceDate of dates) {
      await createRsvp(testRsvp({ name: serviceDate }), eve)
      await transaction((tx) => tx.update(rsvps).set({ serviceDate }).where(eq(rsvps.name, serviceDate)))
    }
  }

  it('ask for the last service until it is counted or skipped, and lists are about it for three days', async () => {
    await respond('2026-11-21', '2026-11-28')
    expect(await asked(during)).toEqual([undefined, '2026-11-21'])
    expect(await asked(after)).toEqual(['2026-11-21', '2026-11-21'])
    await changeTurnout({ date: '2026-11-21', turnout: 0 }, at(after))
    expect(await asked(after)).toEqual([undefined, '2026-11-28'])
    await changeTurnout({ date: '2026-11-21', turnout: null }, at(after))
    expect(await asked('2026-11-24T17:59:59.999Z')).toEqual(['2026-11-21', '2026-11-21'])
    expect(await asked('2026-11-24T18:00:00.000Z')).toEqual(['2026-11-21', '2026-11-28'])
    await changeTurnout({ date: '2026-11-21', turnout: null }, at(after))
    expect(await asked(after)).toEqual([undefined, '2026-11-28'])
    const next = '2026-11-28T18:00:00.000Z'
    expect(await asked(next)).toEqual(['2026-11-28', '2026-11-28'])
    await changeTurnout({ date: '2026-11-21', turnout: null }, at(next))
    await changeTurnout({ date: '2026-12-05', turnout: null }, at(next))
    expect(await asked(next)).toEqual(['2026-11-28', '2026-11-28'])
    await changeTurnout({ date: '2026-11-28', turnout: null }, at(next))
    expect(await asked(next)).toEqual([undefined, '2026-12-05'])
  })

  it('ask for no service that no one responded for and no sheet was printed for before its end', async () => {
    expect(await asked(after)).toEqual([undefined, '2026-11-28'])
    const printed = { action: 'responses printed', subject: '2026-11-21' } as const
    await recordAct(printed, at(after))
    await recordAct({ ...printed, subject: '2026-11-28' }, at(during))
    await recordAct({ ...printed, action: 'turnout removed' }, at(during))
    await respond('2026-11-21')
    const gone = { deletedAt: after }
    await transaction((tx) => tx.update(rsvps).set(gone))
    expect(await asked(after)).toEqual([undefined, '2026-11-28'])
    await recordAct(printed, at(during))
    expect(await asked(after)).toEqual(['2026-11-21', '2026-11-21'])
    // The schedule was set on the day before. What was sent or imported for an earlier service counts.
    expect(await findUncountedService(eve)).toBeUndefined()
    await respond('2026-11-14')
    expect(await findUncountedService(eve)).toBe('2026-11-14')
    await emptyTables(schedules)
    expect(await asked(after)).toEqual([undefined, undefined])
  })

  it.each([
    ['2026-10-31', '2026-11-03T18:00:00.000Z'],
    ['2027-03-13', '2027-03-16T17:00:00.000Z'],
  ])('count the three days after %s by the clock of the church, which changes meanwhile', async (date, end) => {
    await transaction((tx) => tx.update(schedules).set({ since: '2026-01-01' }))
    await respond(date)
    expect(await getDefaultWeek(at(new Date(Date.parse(end) - 1).toISOString()))).toBe(date)
    expect(await getDefaultWeek(at(end))).not.toBe(date)
  })

  it('pass over skipped services, and show the next one as soon as it begins on another day', async () => {
    await respond('2026-11-21', '2026-11-28')
    await changeSchedule({ skippedDates: ['2026-11-28'] }, at(after))
    expect(await asked('2026-11-22T12:00:00.000Z')).toEqual(['2026-11-21', '2026-11-21'])
    expect(await asked('2026-11-29T12:00:00.000Z')).toEqual(['2026-11-21', '2026-12-05'])
    await changeSchedule({ weekday: 0 }, at(after))
    expect(await asked('2026-11-22T15:59:59.999Z')).toEqual(['2026-11-21', '2026-11-21'])
    expect(await asked('2026-11-22T16:00:00.000Z')).toEqual(['2026-11-21', '2026-11-22'])
    expect(await asked('2026-11-22T18:00:00.000Z')).toEqual([undefined, '2026-12-06'])
  })

  it('list the services from one day to another, the earliest first', async () => {
    for (const [turnout, date] of ['2026-11-21', '2026-11-14', '2026-10-31', '2025-01-04'].entries())
      await changeTurnout({ date, turnout }, morning)
    const listed = await listTurnouts('2026-10-31', '2026-11-14')
    expect(listed.map(({ date, people }) => [date, people])).toEqual([
      ['2026-10-31', 2],
      ['2026-11-14', 1],
    ])
  })

  it('count from the beginning of the day on, by the clock of the church', async () => {
    await expect(changeTurnout({ date: '2026-11-21', turnout: 87 }, eve)).rejects.toMatchObject({
      ...invalidAt('date'),
      message:
        'The service on Saturday, November 21, 2026 is still to come. Count the people on its day or afterwards.',
    })
    await changeTurnout({ date: '2026-11-21', turnout: 87 }, morning)
    expect(await storedTurnouts()).toHaveLength(1)
  })

  it.each([-1, 0.5, 100_001, '87', undefined])('refuse %j people in a sentence', async (turnout) => {
    const message = 'Give the number of people who came as a whole number from 0 to 100,000.'
    await changeTurnout({ date: '2026-11-21', turnout: 100_000 }, morning)
    const change = changeTurnout({ date: '2026-11-21', turnout }, morning)
    await expect(change).rejects.toMatchObject({ code: 'invalid', fields: [{ path: 'turnout', message }] })
  })
})
