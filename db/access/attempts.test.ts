import { beforeEach, expect, it } from 'vitest'
import { hashOfToken } from '#db/access/tokens.ts'
import { forgetFullAllowances } from '#db/allowance.ts'
import { db, transaction } from '#db/storage/client.ts'
import { allowances, auditEntries } from '#db/tables/access.ts'
import { auditLines, describeOnBothDatabases, emptyTables, testCall } from '#testing/database-fixtures.ts'
import { attemptSucceeded, KNOWN_DEVICE_TTL_MS, rememberDevice, takeAttempt } from './attempts.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
const DAY = 24 * HOUR
const start = testCall().now.getTime()

type Caller = { network?: string | undefined; device?: string; account?: string }
const usual: Caller = { network: '203.0.113.7' }

const callAt = (ms: number, { network }: Caller) => testCall({ now: new Date(start + ms), network })
/** By default each network tries a different account, because the limit of one account has tests of its own. */
const attempt = (ms = 0, { device, account, ...from } = usual) =>
  takeAttempt({ account: account ?? (device === undefined ? `${from.network}` : '1'), device }, callAt(ms, from))

/** How many seconds a caller has to wait; 0 if the try is allowed. */
async function waitAt(ms: number, caller?: Caller): Promise<number> {
  return attempt(ms, caller).then(
    () => 0,
    (error) => error.retryAfter,
  )
}

/** Signs in to account 1 in a new browser; returns its token. */
async function succeed(ms = 0): Promise<string> {
  return transaction((tx) => rememberDevice(tx, { account: '1', device: undefined }, callAt(ms, usual)))
}

const deviceName = (device: string) => `device ${hashOfToken(device)} 1`

describeOnBothDatabases('attempts to sign in', () => {
  beforeEach(() => emptyTables(allowances, auditEntries))

  it('are five at once, even concurrent ones, then one every two minutes, until the right password', async () => {
    const tries = await Promise.all(Array.from({ length: 20 }, () => waitAt(0)))
    expect(tries.filter((wait) => wait === 0)).toHaveLength(5)
    expect(await waitAt(119 * SECOND)).toBe(1)
    const tried = await attempt(120 * SECOND)
    expect(await waitAt(120 * SECOND)).toBe(120)
    await transaction((tx) => attemptSucceeded(tx, tried))
    expect(await waitAt(120 * SECOND)).toBe(0)
    expect(await auditLines()).toEqual(['terminal: wrong passwords 5 in a row'])
  })

  it('of the networks in one /56 share an allowance, from which a known browser is exempt', async () => {
    const inOne56 = (other: number) => `2001:db8:1:${(0x200 + other).toString(16)}::/64`
    const networks = Array.from({ length: 50 }, (_, other) => inOne56(other))
    const waits = await Promise.all(networks.map((network) => waitAt(0, { network })))
    expect(waits.filter((wait) => wait === 0)).toHaveLength(40)
    expect(await waitAt(0, { network: inOne56(250) })).toBe(75)
    const mine = await succeed(-90 * DAY + 1)
    const former = await succeed(-90 * DAY)
    expect(await attempt(0, { network: inOne56(250), device: mine })).toEqual({
      line: `sign-in ${deviceName(mine)}`,
      known: true,
    })
    for (const device of [former, 'forged', '', hashOfToken(mine)])
      expect(await waitAt(0, { network: inOne56(250), device })).toBe(75)
  })

  it('at one account are twenty an hour in all, then one an hour for each network; a known browser has its own', async () => {
    const at = (other: number, ms = 0) => waitAt(ms, { network: `198.51.${other}.1`, account: '1' })
    const device = await succeed()
    for (let other = 0; other < 20; other += 1) expect(await at(other)).toBe(0)
    for (let other = 100; other < 140; other += 1) expect([await at(other), await at(other)]).toEqual([0, 180])
    // After three minutes there is one more, for whoever comes first.
    expect([await at(100, 180 * SECOND), await at(101, 180 * SECOND)]).toEqual([0, 180])
    expect(await waitAt(0, { ...usual, account: '2' })).toBe(0)
    for (let free = 0; free < 5; free += 1) expect(await waitAt(0, { network: '198.51.1.1', device })).toBe(0)
    // A network that failed has one try after an hour, even while others use up the tries of the account.
    for (let other = 140; other < 161; other += 1) await at(other, HOUR)
    expect([await at(101, HOUR), await at(101, HOUR)]).toEqual([0, 180])
  })

  it('are forgotten once they make no one wait, and a browser after 90 days', async () => {
    await attempt(0)
    const device = await succeed()
    const forget = async (ms: number) => {
      await forgetFullAllowances(new Date(start + ms))
      return (await db.select().from(allowances)).map(({ name }) => name)
    }
    expect(await forget(0)).toContain('sign-in 203.0.113.7')
    expect(await forget(HOUR)).toEqual([deviceName(device)])
    expect(await forget(90 * DAY - 1)).toEqual([deviceName(device)])
    expect(await forget(90 * DAY)).toEqual([])
    expect(KNOWN_DEVICE_TTL_MS).toBe(90 * DAY)
  })

  it('do not know a browser that was stored while the clock was a year ahead', async () => {
    const device = await succeed(365 * DAY)
    expect(await attempt(0, { ...usual, device })).toMatchObject({ known: false })
  })
})
