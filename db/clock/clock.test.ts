import { beforeEach, expect, it } from 'vitest'
import { describeOnBothDatabases, testCall } from '#db/fixtures.ts'
import { db, transaction } from '#db/storage/client.ts'
import { checkClock, doubtSentence, findDoubt, findRemovalDoubt } from './clock.ts'
import { clockMarks } from './table.ts'

const MINUTE = 60 * 1000
const DAY = 24 * 60 * MINUTE
const start = testCall().now.getTime()
const at = (ms: number) => testCall({ now: new Date(start + ms), actor: 'site' })
const iso = (ms: number) => new Date(start + ms).toISOString()
const check = async (ms: number) => (await checkClock(at(ms)))?.kind
const stored = async () => (await db.select().from(clockMarks))[0]
const mark = (seenAt: string) =>
  transaction((tx) => tx.update(clockMarks).set({ seenAt, doubtedAt: null, steadyMs: 0 }))

describeOnBothDatabases('a clock', () => {
  beforeEach(async () => {
    await mark(iso(0))
  })

  it.each([
    [-DAY, undefined, undefined],
    [-DAY - 1, 'behind', 'everything'],
    [DAY, undefined, undefined],
    [DAY + 1, 'ahead', 'removals'],
    [45 * DAY, 'ahead', 'removals'],
    [45 * DAY + 1, 'ahead', 'everything'],
  ])('that is %i ms after the latest known moment is %s and stops %s', async (ms, kind, stops) => {
    expect(await findRemovalDoubt(at(ms))).toEqual(kind && expect.objectContaining({ kind, stops }))
    expect((await findDoubt(at(ms)))?.kind).toBe(stops === 'everything' ? kind : undefined)
    expect(await check(ms)).toBe(kind)
    expect((await stored())?.seenAt).toBe(iso(kind === undefined && ms > 0 ? ms : 0))
  })

  it('that is some days ahead is trusted after days without a jump, also where the site runs once a week', async () => {
    expect(await check(7 * DAY)).toBe('ahead')
    expect(await check(7 * DAY + 60 * MINUTE)).toBe('ahead')
    expect(await check(14 * DAY - 5 * MINUTE)).toBeUndefined()
    expect((await stored())?.seenAt).toBe(iso(14 * DAY - 5 * MINUTE))
    for (let days = 57; days < 63; days++) expect(await check(days * DAY - 6 * MINUTE)).toBe('ahead')
    expect(await findDoubt(at(62 * DAY))).toBeUndefined()
    expect(await check(63 * DAY)).toBeUndefined()
  })

  it('is trusted while no moment is known', async () => {
    await mark('')
    expect(await check(-9000 * DAY)).toBeUndefined()
    expect((await stored())?.seenAt).toBe(iso(-9000 * DAY))
  })

  it('that is doubtful is described with both moments and what to do', () => {
    expect(doubtSentence({ kind: 'ahead', stops: 'everything', clock: iso(365 * DAY), known: iso(0) })).toContain(
      'shows 2026-01-05 14:00 UTC, 365 days after the latest moment known, 2025-01-05 14:00 UTC. Set the clock right',
    )
  })

  it('is trusted again a check after it was set right', async () => {
    expect(await check(365 * DAY)).toBe('ahead')
    expect(await check(MINUTE)).toBe('other')
    expect(await check(2 * MINUTE)).toBeUndefined()
    expect(await stored()).toMatchObject({ seenAt: iso(2 * MINUTE), doubtedAt: null })
  })

  it('is trusted after seven days without a jump', async () => {
    const ahead = 60 * DAY
    for (let ms = 0; ms <= 30 * MINUTE; ms += 10 * MINUTE) expect(await check(ahead + ms)).toBe('ahead')
    expect((await stored())?.steadyMs).toBe(30 * MINUTE)
    // As if it had continued like that.
    await transaction((tx) => tx.update(clockMarks).set({ steadyMs: 7 * DAY - 15 * MINUTE }))
    expect(await check(ahead + 40 * MINUTE)).toBe('ahead')
    expect(await check(ahead + 50 * MINUTE)).toBeUndefined()
    expect((await stored())?.seenAt).toBe(iso(ahead + 50 * MINUTE))
  })

  it.each([
    ['two days ahead', 2 * DAY, 0],
    ['an hour back', -60 * MINUTE, 0],
    ['twenty hours, as a computer that slept', 20 * 60 * MINUTE, 20 * MINUTE],
  ])('that jumps %s starts counting again, or counts a little', async (_, jump, steadyMs) => {
    await check(60 * DAY)
    await check(60 * DAY + 10 * MINUTE)
    await check(60 * DAY + 10 * MINUTE + jump)
    expect((await stored())?.steadyMs).toBe(steadyMs)
  })

  it('stops all sites on a database while it is doubtful, and is never trusted beside a right one', async () => {
    for (let ms = 0; ms < 5 * MINUTE; ms += MINUTE) {
      expect(await check(365 * DAY + ms)).toBe('ahead')
      expect((await findDoubt(at(ms)))?.kind).toBe('other')
      expect(await check(ms)).toBe('other')
    }
    expect((await stored())?.steadyMs).toBe(0)
    expect(await check(5 * MINUTE)).toBeUndefined()
  })
})
