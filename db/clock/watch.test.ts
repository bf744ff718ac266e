import { beforeEach, describe, expect, it } from 'vitest'
import { auditEntries } from '#db/audit/table.ts'
import { auditLines, describeOnBothDatabases, testCall } from '#db/fixtures.ts'
import { db } from '#db/storage/client.ts'
import { doubtOf, doubtSentence } from './doubt.ts'
import { confirmClock, findDoubt, getClock } from './operations.ts'
import { clockMarks } from './table.ts'
import { type ClockCheck, watchClock } from './watch.ts'

const MINUTE = 60 * 1000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const start = testCall().now.getTime()
const at = (ms: number) => testCall({ now: new Date(start + ms), actor: 'site' })
const iso = (ms: number) => new Date(start + ms).toISOString()

/** A site that checks its clock: `off` is how wrong it is, `running` how long the process runs, both in ms. */
function site(off = 0) {
  const check: ClockCheck = watchClock()
  return (running: number, wrong = off) => check(at(running + wrong), running).then((doubt) => doubt?.kind)
}

async function stored() {
  const [mark] = await db.select().from(clockMarks)
  return mark
}

describe('doubtOf', () => {
  it.each([
    [-DAY, undefined],
    [-DAY - 1, 'behind'],
    [45 * DAY, undefined],
    [45 * DAY + 1, 'ahead'],
    [-365 * DAY, 'behind'],
  ])('of a clock %i ms after the latest known moment is %s', (ms, kind) => {
    expect(doubtOf(new Date(start + ms), iso(0))?.kind).toBe(kind)
  })

  it('is undefined while no moment is known', () => {
    expect(doubtOf(new Date(0), '')).toBeUndefined()
  })

  it('says what to do, with both moments', () => {
    const sentence = doubtSentence({ kind: 'ahead', clock: iso(365 * DAY), known: iso(0) })
    expect(sentence).toContain(
      'shows 2026-01-05 14:00 UTC, 365 days after the latest moment known, 2025-01-05 14:00 UTC',
    )
    expect(sentence).toContain('it is trusted once the site has run for seven days')
  })
})

describeOnBothDatabases('watchClock', () => {
  beforeEach(async () => {
    const unknown = { seenAt: '', doubtedAt: null, steadyMs: 0, anonymizeConfirmedAt: null, eraseConfirmedAt: null }
    await db.batch([db.update(clockMarks).set(unknown), db.delete(auditEntries)])
  })

  it('trusts the first clock, and stores the latest moment at most every ten minutes', async () => {
    const check = site()
    for (const [running, seen] of [
      [0, 0],
      [9 * MINUTE, 0],
      [10 * MINUTE, 10 * MINUTE],
      [HOUR, HOUR],
    ]) {
      expect(await check(running ?? 0)).toBeUndefined()
      expect((await stored())?.seenAt).toBe(iso(seen ?? 0))
    }
    expect(await check(HOUR + MINUTE, -2 * HOUR)).toBeUndefined()
    expect((await stored())?.seenAt).toBe(iso(HOUR))
  })

  it.each([
    ['a year ahead', 365 * DAY, 'ahead'],
    ['a year behind', -365 * DAY, 'behind'],
  ])('doubts one that is %s, keeps the latest moment, and trusts it again once it is right', async (_, wrong, kind) => {
    const check = site()
    await check(0)
    expect(await check(MINUTE, wrong)).toBe(kind)
    expect((await findDoubt(at(wrong)))?.kind).toBe(kind)
    expect((await stored())?.seenAt).toBe(iso(0))
    expect(await check(2 * MINUTE)).toBeUndefined()
    expect(await findDoubt(at(2 * MINUTE))).toBeUndefined()
    expect(await auditLines()).toEqual([`site: clock doubted ${iso(MINUTE + wrong)} is ${kind} ${iso(0)}`])
  })

  it('trusts one that is confirmed', async () => {
    await site()(0)
    const ahead = 365 * DAY
    const check = site(ahead)
    expect(await check(MINUTE)).toBe('ahead')
    await confirmClock(at(ahead))
    expect(await check(2 * MINUTE)).toBeUndefined()
    expect(await getClock(at(ahead))).toEqual({ clock: iso(ahead), known: iso(ahead), doubt: undefined })
    expect((await auditLines()).at(-1)).toBe(`site: clock confirmed ${iso(ahead)}, until then ${iso(0)}`)
  })

  it('trusts one that ran steadily for seven days, also over a restart', async () => {
    await site()(0)
    const ahead = 60 * DAY
    const step = 10 * MINUTE
    const first = site(ahead)
    for (let running = 0; running <= 3 * step; running += step) await first(running)
    expect((await stored())?.steadyMs).toBe(3 * step)
    // As if it had continued like that.
    await db.batch([db.update(clockMarks).set({ steadyMs: 7 * DAY - 2 * step })])
    // A new process remembers nothing, so its first check counts for nothing.
    const check = site(ahead)
    expect(await check(4 * step)).toBe('ahead')
    expect(await check(5 * step)).toBe('ahead')
    expect(await check(6 * step)).toBeUndefined()
    expect((await auditLines()).at(-1)).toBe('site: clock confirmed after seven days of steady running')
  })

  it.each([
    ['two days ahead', 2 * DAY],
    ['an hour back', -HOUR],
  ])('starts counting again when it jumps %s', async (_, jump) => {
    await site()(0)
    const check = site(60 * DAY)
    for (let running = 0; running <= HOUR; running += 10 * MINUTE) await check(running)
    expect((await stored())?.steadyMs).toBe(HOUR)
    expect(await check(HOUR + MINUTE, 60 * DAY + jump)).toBe('ahead')
    expect((await stored())?.steadyMs).toBe(0)
  })

  it('does not count time asleep', async () => {
    await site()(0)
    const check = site(60 * DAY)
    await check(0)
    await check(20 * HOUR)
    expect((await stored())?.steadyMs).toBe(10 * MINUTE)
  })

  it('stops all sites on a database while one is doubtful, and never trusts that one', async () => {
    const [right, wrong] = [site(), site(365 * DAY)]
    expect(await right(0)).toBeUndefined()
    for (let running = MINUTE; running <= 5 * MINUTE; running += MINUTE) {
      expect(await wrong(running)).toBe('ahead')
      expect(await right(running)).toBe('other')
    }
    expect((await stored())?.steadyMs).toBe(0)
    // Seen by a command on the machine whose clock is right.
    expect((await findDoubt(at(6 * MINUTE)))?.kind).toBe('other')
    // The other one is stopped: three minutes later its doubt expires.
    const after = [6, 7, 8, 9].map((minute) => minute * MINUTE)
    const kinds: unknown[] = []
    for (const running of after) kinds.push(await right(running))
    expect(kinds.slice(0, 2)).toEqual(['other', 'other'])
    expect(kinds.at(-1)).toBeUndefined()
    expect(await stored()).toMatchObject({ doubtedAt: null, seenAt: iso(8 * MINUTE) })
  })

  it('resumes at once when the clock of the other site is set right', async () => {
    const [right, wrong] = [site(), site(365 * DAY)]
    await right(0)
    await wrong(MINUTE)
    expect(await right(MINUTE)).toBe('other')
    expect(await wrong(2 * MINUTE, 0)).toBeUndefined()
    expect(await right(2 * MINUTE)).toBeUndefined()
  })

  it('stops both sites if the wrong one came first, until the right one is confirmed', async () => {
    const [wrong, right] = [site(365 * DAY), site()]
    expect(await wrong(0)).toBeUndefined()
    expect(await right(MINUTE)).toBe('behind')
    expect(await wrong(MINUTE)).toBe('other')
    await confirmClock(at(2 * MINUTE))
    expect(await right(2 * MINUTE)).toBeUndefined()
    expect(await wrong(2 * MINUTE)).toBe('ahead')
    expect(await right(3 * MINUTE)).toBe('other')
    expect(await wrong(4 * MINUTE, 0)).toBeUndefined()
    expect(await right(4 * MINUTE)).toBeUndefined()
  })
})
