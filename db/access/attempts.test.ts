import { beforeEach, expect, it } from 'vitest'
import { listFloods } from '#db/access/floods.ts'
import { allowances, signInAttempts } from '#db/access/table.ts'
import { hashOfToken } from '#db/access/tokens.ts'
import { auditEntries } from '#db/audit/table.ts'
import { auditLines, describeOnBothDatabases, emptyTables, testCall } from '#db/fixtures.ts'
import { db, transaction } from '#db/storage/client.ts'
import { attemptSucceeded, forgetOldAttempts, KNOWN_DEVICE_TTL_MS, rememberDevice, takeAttempt } from './attempts.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
const DAY = 24 * HOUR
const start = testCall().now.getTime()

type Caller = { network?: string | undefined; device?: string; account?: string }
const usual: Caller = { network: '203.0.113.7' }

const callAt = (ms: number, { network }: Caller) => testCall({ now: new Date(start + ms), network })
/** By default each network tries an account of its own: the limit of an account has its own tests. */
const attempt = (ms = 0, { device, account, ...from } = usual) =>
  takeAttempt({ account: account ?? (device === undefined ? `${from.network}` : '1'), device }, callAt(ms, from))

/** How many seconds a caller who tries now has to wait; 0 when the try is allowed. */
async function waitAt(ms: number, caller?: Caller): Promise<number> {
  return attempt(ms, caller).then(
    () => 0,
    (error) => error.retryAfter,
  )
}

const letThrough = (waits: number[]) => waits.filter((wait) => wait === 0).length

/** Signs in to account 1 in a new browser; returns its token. */
async function succeed(ms = 0): Promise<string> {
  return transaction(async (tx) => {
    await attemptSucceeded(tx, { who: 'network 203.0.113.7', failures: 1, known: false })
    return rememberDevice(tx, { account: '1', device: undefined }, callAt(ms, usual))
  })
}

const deviceLine = (device: string) => `device ${hashOfToken(device)} 1`

async function storedNames(): Promise<string[]> {
  return (await db.select().from(signInAttempts)).map(({ who }) => who).toSorted()
}

async function clear() {
  await emptyTables(signInAttempts, allowances, auditEntries)
}

describeOnBothDatabases('attempts to sign in', () => {
  beforeEach(clear)

  it('are free five times, then wait longer and longer, and never longer than five minutes', async () => {
    for (let free = 0; free < 5; free++) await attempt()
    let ms = 0
    for (const seconds of [5, 10, 20, 40, 80, 160, 300, 300, 300]) {
      expect(await waitAt(ms)).toBe(seconds)
      expect(await waitAt(ms + seconds * SECOND - 1)).toBe(1)
      ms += seconds * SECOND
      await attempt(ms)
    }
  })

  it('are free also when two concurrent ones arrive out of order', async () => {
    expect(await waitAt(2)).toBe(0)
    expect(await waitAt(1)).toBe(0)
  })

  it('do not wait for a moment that a clock wrote while it was ahead', async () => {
    for (let free = 0; free < 5; free++) await attempt(DAY)
    expect(await waitAt(0)).toBe(0)
    const nextAt = (seconds: number) =>
      transaction((tx) => tx.update(signInAttempts).set({ nextAt: start + seconds * SECOND, failures: 20 }))
    await nextAt(300)
    expect(await waitAt(0)).toBe(300)
    await nextAt(300.001)
    expect(await waitAt(0)).toBe(0)
  })
})

describeOnBothDatabases('attempts from the networks around one', () => {
  beforeEach(clear)

  /** Tries once from each of so many networks. */
  async function many(count: number, nameOf: (other: number) => string, ms = 0): Promise<number> {
    const networks = Array.from({ length: count }, (_, other) => nameOf(other))
    return letThrough(await Promise.all(networks.map((network) => waitAt(ms, { network }))))
  }
  const inOne56 = (other: number) => `2001:db8:1:${(0x200 + other).toString(16)}::/64`

  it('are some at once, then one each time there is one more', async () => {
    expect(await many(50, inOne56)).toBe(40)
    const late = { network: inOne56(250) }
    for (let tries = 0; tries < 8; tries += 1) expect(await waitAt(0, late)).toBe(75)
    // The password was not compared, so it was no failure.
    expect(await attempt(75 * SECOND, late)).toMatchObject({ failures: 1 })
  })

  it('from all networks together make no caller wait, and are recorded as a flood', async () => {
    expect(await many(60, (other) => `198.51.${other}.1`)).toBe(60)
    expect(await waitAt(0, { network: '203.0.113.1' })).toBe(0)
    expect(await listFloods(callAt(HOUR, usual))).toEqual([{ kind: 'passwords', at: new Date(start).toISOString() }])
    expect(await listFloods(callAt(DAY, usual))).toEqual([])
    // Once, however long it lasts.
    expect(await auditLines()).toEqual(['site: flood noticed passwords'])
    // By these names a new password ends them.
    const stored = (await db.select().from(allowances)).map(({ name, fullAt }) => [name, (fullAt - start) / SECOND])
    expect(Object.fromEntries(stored)).toMatchObject({
      'sign-in from everywhere': 3600,
      'sign-in 198.51.7.0/24': 18.75,
    })
  })

  it('do not make a browser wait that signed in within the last 90 days', async () => {
    const mine = await succeed(-90 * DAY + 1)
    const former = await succeed(-90 * DAY)
    await many(40, inOne56)
    const late = { network: inOne56(250) }
    expect(await attempt(0, { ...late, device: mine })).toEqual({
      who: deviceLine(mine),
      failures: 1,
      known: true,
    })
    for (const device of [former, 'forged', '', hashOfToken(mine)]) {
      expect(await waitAt(0, { ...late, device })).toBe(75)
    }
    expect(KNOWN_DEVICE_TTL_MS).toBe(90 * DAY)
  })
})

describeOnBothDatabases('attempts at one account', () => {
  beforeEach(clear)

  const at = (other: number, ms = 0) => waitAt(ms, { network: `198.51.${other}.1`, account: '1' })

  it('are twenty an hour from everywhere; after that each network has one an hour, and a known browser its own', async () => {
    const device = await succeed()
    for (let other = 0; other < 20; other += 1) expect(await at(other)).toBe(0)
    // One again after three minutes, for whoever comes first.
    expect(await at(0)).toBe(180)
    for (let other = 100; other < 140; other += 1) expect([await at(other), await at(other)]).toEqual([0, 180])
    expect([await at(0, 180 * SECOND), await at(1, 180 * SECOND)]).toEqual([0, 180])
    expect(await waitAt(0, { ...usual, account: '2' })).toBe(0)
    for (let free = 0; free < 5; free += 1) expect(await waitAt(0, { network: '198.51.1.1', device })).toBe(0)
    // While others use up what comes back, a network that failed has its try after an hour all the same.
    for (let other = 140; other < 161; other += 1) await at(other, HOUR)
    expect([await at(100, HOUR), await at(100, HOUR + 1), await at(100, HOUR + 2)]).toEqual([180, 0, 180])
  })
})

describeOnBothDatabases('who tried to sign in', () => {
  beforeEach(clear)

  const forget = async (ms: number) => {
    await forgetOldAttempts(new Date(start + ms))
    return storedNames()
  }

  it('is forgotten an hour after the wait has ended', async () => {
    await attempt(0)
    for (let free = 0; free < 5; free++) await attempt(0, { network: 'waits' })
    for (const ms of [0, HOUR]) expect(await forget(ms)).toHaveLength(2)
    expect(await forget(HOUR + 1)).toEqual(['network waits'])
    expect(await forget(HOUR + 5 * SECOND)).toEqual(['network waits'])
    expect(await forget(HOUR + 5 * SECOND + 1)).toEqual([])
    expect(await db.$count(allowances)).toBe(0)
  })

  it('is known by a hash for 90 days after a success', async () => {
    await attempt(0)
    const device = await succeed()
    expect(await forget(90 * DAY)).toEqual([deviceLine(device)])
    expect(await forget(90 * DAY + 1)).toEqual([])
  })

  it('is not known from a clock that was a year ahead, and is forgotten', async () => {
    const device = await succeed(365 * DAY)
    expect(await attempt(0, { ...usual, device })).toMatchObject({ who: 'network 203.0.113.7' })
    await transaction((tx) => tx.update(signInAttempts).set({ nextAt: start + 365 * DAY }))
    expect(await forget(0)).toEqual([])
  })
})
