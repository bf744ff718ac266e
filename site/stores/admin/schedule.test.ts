import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { $toasts } from '#site/stores/toasts.ts'
import { holdService, schedule, skipService } from './schedule.ts'

const atFirst = {
  weekday: 6,
  startTime: '10:00',
  durationMinutes: 120,
  timeZone: 'America/Chicago',
  closesMinutesBefore: null,
  skippedDates: ['2026-12-26'],
  confirmed: true,
  lastService: '2026-11-14',
  services: [],
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
  added = { movedRsvps: 0, skippedRsvps: 0, toldRsvps: 0 }
  vi.stubGlobal('fetch', async (_path: string, { method, body }: RequestInit) => {
    if (method === 'GET') return Response.json(stored)
    sent.push(JSON.parse(String(body)))
    stored = { ...stored, ...JSON.parse(String(body)), confirmed: true }
    return Response.json({ ...stored, ...added })
  })
})
afterEach(() => vi.unstubAllGlobals())

describe('skipService', () => {
  it('keeps what another administrator has skipped since the page was loaded', async () => {
    stored.skippedDates = ['2026-12-19', '2026-12-26']
    await skipService('2027-01-02', '', () => {})
    expect(sent).toEqual([{ skippedDates: ['2026-12-19', '2026-12-26', '2027-01-02'] }])
    expect(schedule.$changed.get()?.skippedDates).toEqual(['2026-12-19', '2026-12-26', '2027-01-02'])
    await holdService('2026-12-26')
    expect(stored.skippedDates).toEqual(['2026-12-19', '2027-01-02'])
  })

  it('says who is told by mail, and to call the others', async () => {
    added = { movedRsvps: 0, skippedRsvps: 2, toldRsvps: 1 }
    await skipService('2026-12-05', '', () => {})
    const who = 'In five minutes, those who come and have an address get an email. Call the others.'
    expect($toasts.get()[0]?.description).toBe(`There is no service on Saturday, December 5. ${who}`)
  })
})
