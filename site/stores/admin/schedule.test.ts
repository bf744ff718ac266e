import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { $toasts } from '#site/stores/toasts.ts'
import { changeSchedule, holdService, schedule, skipService } from './schedule.ts'

const service = { date: '2026-11-29', startsAt: '', endsAt: '', closesAt: '' }
const atFirst = {
  weekday: 6,
  startTime: '10:00',
  durationMinutes: 120,
  timeZone: 'America/Chicago',
  closesMinutesBefore: null,
  skippedDates: ['2026-12-26'],
  confirmed: false,
  lastService: '2026-11-14',
  services: [service],
}

/** What the server has, what it was sent, and what it adds to its reply. */
let stored: typeof atFirst
let sent: unknown[]
let added: object
let status: number

beforeEach(() => {
  schedule.$changed.set(undefined)
  $toasts.set([])
  stored = { ...atFirst }
  sent = []
  added = { movedRsvps: 0, skippedRsvps: 0, movedSkippedDates: 0 }
  status = 200
  vi.stubGlobal('fetch', async (_path: string, { method, body }: RequestInit) => {
    if (method === 'GET') return Response.json(stored)
    sent.push(JSON.parse(String(body)))
    if (status !== 200) return new Response('no', { status })
    stored = { ...stored, ...JSON.parse(String(body)), confirmed: true }
    return Response.json({ ...stored, ...added })
  })
})
afterEach(() => vi.unstubAllGlobals())

describe('changeSchedule', () => {
  it('shows at once, and tells what happened once it is stored', async () => {
    added = { movedRsvps: 1200, skippedRsvps: 0, movedSkippedDates: 1 }
    const changing = changeSchedule(atFirst, { weekday: 0 })
    expect(schedule.$changed.get()).toMatchObject({ weekday: 0, confirmed: true })
    expect($toasts.get()).toEqual([])
    expect(await changing).toBe(true)
    expect($toasts.get()).toMatchObject([
      {
        title: 'Schedule Saved',
        description:
          '1,200 responses moved to the new day. The skipped dates moved along: look at them below. The next service is on Sunday, November 29.',
      },
    ])
  })

  it('goes back where it is not stored, and says so', async () => {
    status = 500
    expect(await changeSchedule(atFirst, { weekday: 0 })).toBe(false)
    expect(schedule.$changed.get()).toEqual(atFirst)
    expect($toasts.get()).toMatchObject([{ title: 'Error', description: 'Failed to save the schedule' }])
  })
})

describe('skipService', () => {
  it('says how many responses are for that day', async () => {
    added = { movedRsvps: 0, skippedRsvps: 1 }
    await skipService(atFirst, '2026-12-05')
    expect($toasts.get()[0]?.description).toBe(
      'There is no service on Saturday, December 5. 1 response for that day will be kept: let people know.',
    )
  })

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

  it('goes back where it is not stored', async () => {
    status = 500
    await skipService(atFirst, '2026-12-05')
    expect(schedule.$changed.get()?.skippedDates).toEqual(['2026-12-26'])
  })
})
