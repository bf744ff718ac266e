import { beforeEach, expect, it } from 'vitest'
import { changeChurch } from '#db/church/operations.ts'
import { changeEvent, changeEventTexts } from '#db/event/operations.ts'
import { events } from '#db/event/table.ts'
import { describeOnBothDatabases, emptyTables, testCall, testEvent } from '#db/fixtures.ts'
import { changeSchedule } from '#db/rsvp/service-dates.ts'
import { skipService, unskipService } from '#db/schedule/skip-fixtures.ts'
import { schedules, skippedDates } from '#db/schedule/table.ts'
import { getCalendarSeries } from './operations.ts'

/** A Wednesday. */
const call = testCall({ now: new Date('2026-11-18T12:00:00.000Z') })
const later = testCall({ now: new Date('2027-03-03T12:00:00.000Z') })

describeOnBothDatabases('the calendar', () => {
  beforeEach(() => emptyTables(events, schedules, skippedDates))

  it('has one id and a higher revision after every change, all of them within a second', async () => {
    const changes = [
      () => changeSchedule({ timeZone: 'America/Chicago' }, call),
      () => changeEvent(testEvent({ location: 'By the lake' }), call),
      () => skipService({ date: '2026-12-26' }, call),
      () => changeEventTexts({ description: 'Bring a friend' }, call),
      () => unskipService({ date: '2026-12-26' }, call),
      () => changeEvent(testEvent(), call),
      () => changeSchedule({ skippedDates: ['2027-01-02'] }, call),
      () => changeSchedule({ weekday: 0, startTime: '18:00' }, call),
      () => changeChurch({ name: 'Grace Church' }, call),
    ]
    const found = [await getCalendarSeries({}, call)]
    for (const change of changes) {
      await change()
      found.push(await getCalendarSeries({}, call))
    }
    const revisions = found.map(({ revision }) => revision)
    expect(revisions).toEqual([...new Set(revisions)].toSorted((a, b) => a - b))
    expect(new Set(found.map(({ id }) => id)).size).toBe(1)
    expect(found[0]?.id).toMatch(/^[\w-]{43}$/)
    expect([found[0]?.church, found.at(-1)?.church]).toEqual([null, 'Grace Church'])
    await changeChurch({ name: null }, call)
  })

  it('begins with the day since when services are at their times', async () => {
    const begins = async () => (await getCalendarSeries({}, call)).since
    await changeSchedule({ timeZone: 'America/Chicago' }, call)
    expect(await begins()).toBe('2026-11-18')
    await changeSchedule({ weekday: 6, durationMinutes: 90, closesMinutesBefore: 30 }, later)
    await skipService({ date: '2027-04-03' }, later)
    expect(await begins()).toBe('2026-11-18')
    await changeSchedule({ weekday: 0 }, later)
    expect(await begins()).toBe('2027-03-07')
  })

  it('begins with what is stored, or now, while the schedule is not confirmed: on no constant day', async () => {
    const inYears = testCall({ now: new Date('2031-05-07T12:00:00.000Z') })
    const begins = async () => (await getCalendarSeries({}, inYears)).since
    expect(await begins()).toBe('2031-05-07')
    await changeEvent(testEvent(), later)
    expect(await begins()).toBe('2027-03-03')
  })

  it('has one service alone only where there is one', async () => {
    await changeSchedule({ weekday: 6, skippedDates: ['2026-12-26'] }, call)
    expect(await getCalendarSeries({ date: '2026-11-28' }, call)).toBeDefined()
    for (const date of ['2026-11-27', '2026-12-26'])
      await expect(getCalendarSeries({ date }, call)).rejects.toMatchObject({ code: 'not-found' })
    await expect(getCalendarSeries({ date: '2026-02-30' }, call)).rejects.toMatchObject({ code: 'invalid' })
  })

  it('is the default schedule until one is confirmed, unless the event has texts of its own', async () => {
    expect((await getCalendarSeries({}, call)).schedule).toMatchObject({ weekday: 6, startTime: '10:00' })
    await changeEvent(testEvent({ date: 'Every Sunday', time: '9:30 AM' }), call)
    await expect(getCalendarSeries({}, call)).rejects.toMatchObject({ code: 'not-found' })
    await changeSchedule({ weekday: 5 }, call)
    expect((await getCalendarSeries({}, call)).schedule).toMatchObject({ weekday: 5 })
  })
})
