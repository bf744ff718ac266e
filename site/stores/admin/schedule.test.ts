import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { $toasts } from '#site/stores/toasts.ts'
import {
  changeOf,
  changeSchedule,
  checkTimes,
  draftOfSchedule,
  holdService,
  monthAfter,
  schedule,
  skipService,
  timesOf,
} from './schedule.ts'

const times = {
  weekday: 6,
  startTime: '10:00',
  durationMinutes: 120,
  timeZone: 'America/Chicago',
  closesMinutesBefore: null,
}
const service = { date: '2026-11-29', startsAt: '', endsAt: '', closesAt: '' }
const atFirst = {
  ...times,
  skippedDates: ['2026-12-26'],
  confirmed: false,
  lastService: '2026-11-14',
  services: [service],
}

/** What the server has, what it was sent, and what it adds to its reply. */
let stored: typeof atFirst
let sent: unknown[]
let added: object

beforeEach(() => {
  schedule.$changed.set(undefined)
  $toasts.set([])
  stored = { ...atFirst }
  sent = []
  added = { movedRsvps: 0, skippedRsvps: 0, toldRsvps: 0, movedSkippedDates: 0 }
  vi.stubGlobal('fetch', async (_path: string, { method, body }: RequestInit) => {
    if (method === 'GET') return Response.json(stored)
    sent.push(JSON.parse(String(body)))
    stored = { ...stored, ...JSON.parse(String(body)), confirmed: true }
    return Response.json({ ...stored, ...added })
  })
})
afterEach(() => vi.unstubAllGlobals())

describe('the undo of a change', () => {
  it('brings back the times, and what moved with them', async () => {
    const before = { ...atFirst, confirmed: true }
    added = { movedRsvps: 2, movedSkippedDates: 1, movedDays: 1 }
    await changeSchedule(before, { weekday: 0 })
    $toasts.get()[0]?.action?.onPress()
    await vi.waitFor(() => expect($toasts.get()).toMatchObject([{ title: 'Schedule Restored' }]))
    expect(sent.at(-1)).toEqual({ weekday: 6, skippedDates: before.skippedDates, moveDays: -1 })
  })
})

describe('skipService', () => {
  it('keeps what another administrator has skipped since the page was loaded', async () => {
    stored.skippedDates = ['2026-12-19', '2026-12-26']
    const changing = skipService(atFirst, '2026-12-05')
    expect(schedule.$changed.get()?.skippedDates).toEqual(['2026-12-05', '2026-12-26'])
    await changing
    expect(sent).toEqual([{ skippedDates: ['2026-12-05', '2026-12-19', '2026-12-26'] }])
    expect(schedule.$changed.get()?.skippedDates).toEqual(['2026-12-05', '2026-12-19', '2026-12-26'])
    await holdService(stored, '2026-12-26')
    expect(stored.skippedDates).toEqual(['2026-12-05', '2026-12-19'])
    expect($toasts.get()[0]?.description).toBe('There is a service on Saturday, December 26 again.')
  })

  it.each([
    [0, 0, ''],
    [2, 0, ' 2 responses for that day will be kept: let people know.'],
    [2, 1, ' In five minutes, those who come and have an address get an email. Call the others.'],
  ])('says of %i responses, of which %i are told by mail, who tells them', async (skippedRsvps, toldRsvps, who) => {
    added = { ...added, skippedRsvps, toldRsvps }
    await skipService(atFirst, '2026-12-05')
    expect($toasts.get()[0]?.description).toBe(`There is no service on Saturday, December 5.${who}`)
  })
})

const draft = draftOfSchedule(times)

describe('the draft of the schedule', () => {
  it.each([times, { ...times, weekday: 0, closesMinutesBefore: 0 }])('goes to texts and back: %o', (given) => {
    expect(timesOf(draftOfSchedule(given))).toEqual(given)
  })

  it.each([
    ['america/new york', 'America/New_York'],
    [' chicago ', 'America/Chicago'],
    ['Atlantis', 'Atlantis'],
  ])('understands the time zone “%s” as %s', (timeZone, meant) => {
    expect(timesOf({ ...draft, timeZone }).timeZone).toBe(meant)
  })

  it.each([
    ['startTime', '', /HH:mm/],
    ['durationMinutes', '', /whole number/],
    ['timeZone', 'Atlantis', /no such time zone/],
  ] as const)('refuses the %s “%s”', (name, text, message) => {
    expect(checkTimes(timesOf({ ...draft, [name]: text }))).toEqual({ [name]: expect.stringMatching(message) })
  })

  it('leaves it to the server to know its own time zone', () => {
    const unheardOf = { timeZone: 'America/Unheard_Of' }
    expect(checkTimes({ ...times, ...unheardOf })).toEqual({})
  })

  it('sends what is different, and all of it where no one has confirmed it', () => {
    expect(changeOf({ ...times, weekday: 0 }, { ...atFirst, confirmed: true })).toEqual({ weekday: 0 })
    expect(changeOf(times, { ...atFirst, confirmed: true })).toEqual({})
    expect(changeOf(times, atFirst)).toEqual(times)
  })
})

describe('monthAfter', () => {
  it('has whole weeks from Sunday to Saturday', () => {
    const { title, weeks } = monthAfter('2026-12-17', 0)
    expect([title, monthAfter('2026-12-31', 1).title]).toEqual(['December 2026', 'January 2027'])
    expect(weeks.map((days) => days.map((day) => day?.slice(-2) ?? '  ').join(' '))).toEqual([
      '      01 02 03 04 05',
      '06 07 08 09 10 11 12',
      '13 14 15 16 17 18 19',
      '20 21 22 23 24 25 26',
      '27 28 29 30 31      ',
    ])
  })
})
