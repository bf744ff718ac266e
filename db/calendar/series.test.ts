import { beforeEach, describe, expect, it } from 'vitest'
import { changeChurch } from '#db/church.ts'
import { changeEvent, changeEventTexts } from '#db/event.ts'
import { changeSchedule } from '#db/rsvp/change-schedule.ts'
import { skipService, unskipService } from '#db/rsvp/skip-fixtures.ts'
import { events, schedules, skippedDates } from '#db/tables/invitation.ts'
import type { Schedule } from '#db/values/schedule.ts'
import { currentService } from '#db/values/services.ts'
import { describeOnBothDatabases, emptyTables, testCall, testEvent } from '#testing/database-fixtures.ts'
import { sharePage, testSeries } from './calendar-fixtures.ts'
import { getCalendarSeries, googleLink } from './series.ts'

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

const now = new Date('2026-11-22T12:00:00Z')

/** What a clock in a time zone shows, as Google's links write it. */
function clock(zone: string, moment: string): string {
  const shown = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  return shown.format(new Date(moment)).replaceAll(/[-:]/g, '').replace(' ', 'T')
}

describe('googleLink', () => {
  it.each<Partial<Schedule>>([
    {},
    { weekday: 0, startTime: '00:30', timeZone: 'Pacific/Apia' },
    { weekday: 6, startTime: '23:00', timeZone: 'Australia/Lord_Howe', durationMinutes: 240 },
    { weekday: 5, timeZone: 'America/Sao_Paulo', skippedDates: ['2026-11-27'] },
  ])('begins with the next service and repeats weekly: %j', (schedule) => {
    const series = testSeries(schedule)
    const { origin, pathname, searchParams } = new URL(googleLink(series, sharePage, now))
    const { timeZone, weekday } = series.schedule
    const { startsAt, endsAt } = currentService(series.schedule, now)
    expect(origin + pathname).toBe('https://calendar.google.com/calendar/render')
    expect(Object.fromEntries(searchParams)).toMatchObject({
      action: 'TEMPLATE',
      dates: `${clock(timeZone, startsAt)}/${clock(timeZone, endsAt)}`,
      ctz: timeZone,
      recur: `RRULE:FREQ=WEEKLY;BYDAY=${['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'][weekday]}`,
    })
  })

  it('is one service where its day is given, also where that is not as long as others on the clock', () => {
    const night = testSeries({ timeZone: 'America/Chicago', weekday: 0, startTime: '00:30' })
    const { searchParams } = new URL(googleLink(night, sharePage, now, '2027-03-14'))
    expect(searchParams.get('dates')).toBe('20270314T003000/20270314T033000')
    expect(searchParams.has('recur')).toBe(false)
  })

  it('holds the texts, and where the page is', () => {
    const optional = { whatToExpect: 'Songs', contact: 'Ana, 555 0100', mapLink: 'https://map.example/1' }
    const event = {
      ...testEvent({ eventTitle: 'Songs & prayers +1', description: 'A\nB', location: '1 Main St; 50%' }),
      ...optional,
    }
    const link = googleLink(testSeries({}, { event, church: 'Grace Church' }), sharePage, now)
    expect(link).not.toContain('+')
    expect(Object.fromEntries(new URL(link).searchParams)).toMatchObject({
      text: 'Songs & prayers +1, Grace Church',
      location: '1 Main St; 50%',
      details: `A\nB\n\nSongs\n\nQuestions? Ana, 555 0100\n\n${sharePage}`,
    })
  })

  it('stays short enough for Google, whatever is written', () => {
    const long = '🙏'.repeat(1000)
    const optional = { whatToExpect: long, contact: long, mapLink: `https://map.example/${'x'.repeat(1000)}` }
    const event = { ...testEvent({ eventTitle: long, description: long, location: long }), ...optional }
    const link = googleLink(testSeries({}, { event }), sharePage, now)
    expect(link.length).toBeLessThan(10_000)
    expect(new URL(link).searchParams.get('text')).toBe(`${'🙏'.repeat(149)}…`)
  })
})
