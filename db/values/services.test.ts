import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { weekdayOf } from './dates.ts'
import type { StoredSchedule } from './schedule.ts'
import { testSchedule as schedule } from './schedule-fixtures.ts'
import {
  currentService,
  findNoService,
  lastServiceDay,
  nextService,
  offeredServices,
  serviceOn,
  servicesFrom,
  weekDate,
  weekWord,
} from './services.ts'

/** Zones with every kind of daylight-saving time: none, half an hour, at midnight, in the southern hemisphere. */
const zones = [
  'America/Chicago',
  'America/Santiago',
  'America/Havana',
  'Pacific/Apia',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Casablanca',
  'Atlantic/Azores',
  'Antarctica/Troll',
  'UTC',
]

const schedules = fc.record({
  weekday: fc.integer({ min: 0, max: 6 }),
  startTime: fc.integer({ min: 0, max: 1439 }).map((minute) => {
    return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
  }),
  durationMinutes: fc.integer({ min: 1, max: 1440 }),
  timeZone: fc.constantFrom(...zones),
  closesMinutesBefore: fc.option(fc.integer({ min: 0, max: 10_080 })),
  skippedDates: fc.constant<string[]>([]),
})
/** Moments of ten years. */
const moments = fc.date({ min: new Date('2024-01-01'), max: new Date('2034-01-01'), noInvalidDate: true })

/** Made once, because making one takes longer than reading it a hundred times. */
const clocks = new Map(
  zones.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short', timeStyle: 'short', hourCycle: 'h23' }),
  ]),
)

/** The day and time on the clock of a zone by Intl, independent of the code under test. */
function clockByIntl(zone: string, moment: string): { day: string; time: string } {
  const [day = '', time = ''] = clocks.get(zone)?.format(new Date(moment)).split(', ') ?? []
  return { day, time }
}

function minutesBetween(start: string, end: string): number {
  return (Date.parse(end) - Date.parse(start)) / 60_000
}

describe('the services of a schedule', () => {
  it('begin at their time on the clock of their zone, on their weekday, one each week', () => {
    fc.assert(
      fc.property(schedules, moments, (given, moment) => {
        const services = servicesFrom(given, moment).take(4).toArray()
        services.forEach((service, place) => {
          expect(weekdayOf(service.date)).toBe(given.weekday)
          if (place > 0) expect(minutesBetween(services[place - 1]?.date ?? '', service.date)).toBe(7 * 24 * 60)
          expect(minutesBetween(service.startsAt, service.endsAt)).toBe(given.durationMinutes)
          const { day, time } = clockByIntl(given.timeZone, service.startsAt)
          // If clocks skip the time, the service begins that much later.
          const exists = day === service.date && time === given.startTime
          const justBefore = clockByIntl(given.timeZone, new Date(Date.parse(service.startsAt) - 1000).toISOString())
          expect(exists || `${day} ${time}` > `${service.date} ${given.startTime}`).toBe(true)
          expect(`${justBefore.day} ${justBefore.time}` < `${service.date} ${given.startTime}` || !exists).toBe(true)
        })
      }),
      { numRuns: 1000, seed: 1 },
    )
  })

  it.each([
    ['spring forward', '2026-03-08', '02:30', '2026-03-08T08:30:00.000Z'],
    ['fall back, the first time', '2026-11-01', '01:30', '2026-11-01T06:30:00.000Z'],
    ['fall back, at the first minute that comes twice', '2026-11-01', '01:00', '2026-11-01T06:00:00.000Z'],
  ])('begin on the day of %s', (_, date, startTime, startsAt) => {
    expect(serviceOn(schedule({ startTime }), date).startsAt).toBe(startsAt)
  })

  it('last over midnight', () => {
    const vigil = schedule({ startTime: '23:00', durationMinutes: 180 })
    const during = new Date('2026-11-22T07:00:00Z')
    expect(currentService(vigil, during).date).toBe('2026-11-21')
    expect(nextService(vigil, new Date('2026-11-22T08:00:00Z')).date).toBe('2026-11-28')
  })

  it('leave out what is skipped', () => {
    const given = schedule({ skippedDates: ['2026-11-21', '2026-12-05'] })
    expect(currentService(given, new Date('2026-11-18T12:00:00Z')).date).toBe('2026-11-28')
    expect(offeredServices(given, new Date('2026-11-18T12:00:00Z')).map(({ date }) => date)).not.toContain('2026-12-05')
  })

  it('are offered until they close', () => {
    const given = schedule()
    const dateAt = (moment: string) => offeredServices(given, new Date(moment))[0]?.date
    expect(dateAt('2026-11-21T17:59:00Z')).toBe('2026-11-21')
    expect(dateAt('2026-11-21T18:00:00Z')).toBe('2026-11-28')
  })
})

describe('lastServiceDay', () => {
  const held: StoredSchedule = {
    ...schedule({ weekday: 0 }),
    confirmed: true,
    uncountedService: null,
    since: '2026-11-23',
    previousService: '2026-11-21',
  }
  const lastAt = (moment: string, changes: Partial<StoredSchedule> = {}) =>
    lastServiceDay({ ...held, ...changes }, new Date(moment))

  it('is the one before this week’s, from when that is over until the next one is', () => {
    expect(lastAt('2026-12-06T17:59:59Z')).toBe('2026-11-29')
    expect(lastAt('2026-12-06T18:00:00Z')).toBe('2026-12-06')
  })

  it('passes over skipped services', () => {
    expect(lastAt('2026-12-20T12:00:00Z', { skippedDates: ['2026-12-06', '2026-12-13'] })).toBe('2026-11-29')
  })

  it('is on the weekday before, until there was a service on this one', () => {
    expect(lastAt('2026-11-23T12:00:00Z')).toBe('2026-11-21')
    expect(lastAt('2026-12-06T12:00:00Z', { skippedDates: ['2026-11-29'] })).toBe('2026-11-21')
    expect(lastAt('2026-11-29T18:00:00Z')).toBe('2026-11-29')
  })

  it('is calculated where the schedule was only a guess before', () => {
    expect(lastAt('2026-11-23T12:00:00Z', { previousService: null })).toBe('2026-11-22')
  })
})

const weekNames = ['last', 'this', 'next', 'all'] as const

const skippedDates = ['2026-11-21', '2026-12-05']
it.each([
  ['before it, although RSVPs are closed', '2026-11-20T18:00:00Z', {}, ['2026-11-21', '2026-11-28']],
  ['while it is held', '2026-11-21T17:59:59Z', {}, ['2026-11-21', '2026-11-28']],
  ['once it is over', '2026-11-21T18:00:00Z', {}, ['2026-11-28', '2026-12-05']],
  ['where services are skipped', '2026-11-20T18:00:00Z', { skippedDates }, ['2026-11-28', '2026-12-12']],
  ['farther east', '2026-11-21T00:30:00Z', { timeZone: 'Pacific/Auckland' }, ['2026-11-28', '2026-12-05']],
])('weekDate names this week’s service and the next one %s', (_, moment, changes, [current, next]) => {
  const week = { ...schedule({ closesMinutesBefore: 24 * 60, ...changes }), lastService: '2026-11-12' }
  const dates = [...weekNames, '2026-11-22'].map((name) => weekDate(name, week, new Date(moment)))
  expect(dates).toEqual(['2026-11-12', current, next, undefined, '2026-11-22'])
})

it.each(['This', '', '2026-02-30', '21.11.2026'])('%j names no week, as a sentence says', (word) => {
  expect(weekWord.safeParse(word).error?.issues.map(({ message }) => message)).toEqual([
    'A week is this, next, last, all, or the day of its service, e.g. 2026-11-21.',
  ])
})

const skipping = { weekday: 6, lastService: '2026-11-20', skippedDates: ['2026-11-28', '2026-12-25'] }

it.each([
  ['2026-11-21', undefined],
  // On another weekday, before this one
  ['2026-11-20', undefined],
  ['2026-11-22', false],
  ['2026-11-28', true],
  // Skipped on the weekday before this one
  ['2026-12-25', true],
])('on %s there is a service, or none because it is skipped: %s', (date, skipped) => {
  expect(findNoService(date, skipping)?.skipped).toBe(skipped)
})
