import { beforeEach, describe, expect, it } from 'vitest'
import { changeSchedule } from '#db/rsvp/change-schedule.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { transaction } from '#db/storage/client.ts'
import { schedules, skippedDates, turnouts } from '#db/tables/invitation.ts'
import { rsvps } from '#db/tables/rsvp.ts'
import { auditLines, emptyTables, invalidAt, openForTests, testCall, testRsvp } from '#testing/database-fixtures.ts'
import { changeTurnout, findUncountedService, getDefaultWeek, getTurnout, listTurnouts } from './turnout.ts'

/** In Chicago it is still Friday, November 20. */
const eve = testCall({ now: new Date('2026-11-21T05:59:59.999Z') })
/** There the day of the service has begun, ten hours before it starts. */
const morning = testCall({ now: new Date('2026-11-21T06:00:00.000Z') })
const morningAt = morning.now.toISOString()

async function storedTurnouts() {
  return listTurnouts({ from: '2000-01-01', until: '2199-12-31' })
}

describe('turnout operations', () => {
  openForTests()
  beforeEach(async () => {
    await emptyTables(rsvps, schedules, skippedDates, turnouts)
    await changeSchedule({ timeZone: 'America/Chicago', skippedDates: ['2026-11-07'] }, eve)
  })

  it('store how many people came, the last number given, remove it once, and audit who counted', async () => {
    const counted = { date: '2026-11-14', countedAt: morningAt }
    await changeTurnout({ date: '2026-11-14', turnout: 87 }, morning)
    expect(await changeTurnout({ date: '2026-11-14', turnout: 91 }, morning)).toEqual({ ...counted, turnout: 91 })
    expect(await getTurnout({ date: '2026-11-14' })).toEqual({ ...counted, people: 91 })
    const removed = { date: '2026-11-14', turnout: null, countedAt: null }
    for (const _ of [1, 2]) expect(await changeTurnout({ date: '2026-11-14', turnout: null }, morning)).toEqual(removed)
    expect(await getTurnout({ date: '2026-11-14' })).toBeNull()
    expect((await auditLines()).filter((line) => line.includes('turnout'))).toEqual([
      'terminal: turnout counted 2026-11-14 87',
      'terminal: turnout counted 2026-11-14 91',
      'terminal: turnout removed 2026-11-14',
      'terminal: turnout skipped 2026-11-14',
    ])
  })

  it('ask for the last service until it is counted or skipped, and lists are about it until then', async () => {
    const at = (now: string) => testCall({ now: new Date(now) })
    const asked = async (now: string) => [await findUncountedService(at(now)), await getDefaultWeek(at(now))]
    // In Chicago the service ends at noon. The one before was held before the schedule was set.
    const [during, after] = ['2026-11-21T17:59:59Z', '2026-11-21T18:00:00Z']
    expect(await asked(during)).toEqual([undefined, '2026-11-21'])
    expect(await asked(after)).toEqual(['2026-11-21', '2026-11-21'])
    await changeTurnout({ date: '2026-11-21', turnout: 0 }, at(after))
    expect(await asked(after)).toEqual([undefined, '2026-11-28'])
    await changeTurnout({ date: '2026-11-21', turnout: null }, at(after))
    expect(await asked(after)).toEqual(['2026-11-21', '2026-11-21'])
    // From the middle between both services on, the clerk needs the list of the next one.
    expect(await asked('2026-11-25T04:59:59Z')).toEqual(['2026-11-21', '2026-11-21'])
    expect(await asked('2026-11-25T05:00:00Z')).toEqual(['2026-11-21', '2026-11-28'])
    await changeTurnout({ date: '2026-11-21', turnout: null }, at(after))
    expect(await asked(after)).toEqual([undefined, '2026-11-28'])
    const next = '2026-11-28T18:00:00Z'
    expect(await asked(next)).toEqual(['2026-11-28', '2026-11-28'])
    await changeTurnout({ date: '2026-11-21', turnout: null }, at(next))
    await changeTurnout({ date: '2026-12-05', turnout: null }, at(next))
    expect(await asked(next)).toEqual(['2026-11-28', '2026-11-28'])
    await changeTurnout({ date: '2026-11-28', turnout: null }, at(next))
    expect(await asked(next)).toEqual([undefined, '2026-12-05'])
    await changeSchedule({ skippedDates: ['2026-12-05'] }, at(next))
    expect(await asked('2026-12-06T12:00:00Z')).toEqual([undefined, '2026-12-12'])
  })

  it('ask for what was held before the schedule was set only where someone responded for it', async () => {
    const before = testCall({ now: new Date('2026-11-16T12:00:00Z') })
    expect(await findUncountedService(before)).toBeUndefined()
    await createRsvp(testRsvp(), before)
    await transaction((tx) => tx.update(rsvps).set({ serviceDate: '2026-11-14' }))
    expect(await findUncountedService(before)).toBe('2026-11-14')
    await emptyTables(schedules)
    expect([await findUncountedService(before), await getDefaultWeek(before)]).toEqual([undefined, undefined])
  })

  it('list the services from one day to another, the earliest first', async () => {
    for (const [turnout, date] of ['2026-11-21', '2026-11-14', '2026-10-31', '2025-01-04'].entries())
      await changeTurnout({ date, turnout }, morning)
    const listed = await listTurnouts({ from: '2026-10-31', until: '2026-11-14' })
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
