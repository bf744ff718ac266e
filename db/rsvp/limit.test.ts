import { beforeEach, describe, expect, it } from 'vitest'
import type { Call } from '#db/call.ts'
import { db, transaction } from '#db/storage/client.ts'
import { allowances } from '#db/tables/access.ts'
import { emptyTables, openForTests, testCall } from '#testing/database-fixtures.ts'
import { countRsvp, refuseTooMany } from './limit.ts'

const usual = { atOnce: 60, everyMs: 2000 }
const start = testCall().now.getTime()
const call = (ms = 0, allowance = usual, network = '203.0.113.7') =>
  testCall({ network, allowance, now: new Date(start + ms) })

/** How many of these calls are allowed, one after the other; in one transaction, because each of its own takes as long. */
function countAllowed(calls: Call[]): Promise<number> {
  return transaction(async (tx) => {
    let allowed = 0
    for (const each of calls) if ((await countRsvp(tx, each)).refused === undefined) allowed++
    return allowed
  })
}

describe('refuseTooMany', () => {
  openForTests()
  beforeEach(() => emptyTables(allowances))

  it('allows 60 at once, and after that 30 a minute', async () => {
    expect(await countAllowed(Array.from({ length: 61 }, () => call()))).toBe(60)
    await expect(refuseTooMany(call())).rejects.toMatchObject({ code: 'too-many' })
    expect(await countAllowed(Array.from({ length: 60 }, (_, second) => call(1 + second * 1000)))).toBe(29)
    await refuseTooMany(call(60_000))
  })

  it.each([
    [0, 60_000, 60, 'Wait 60 seconds'],
    [1000, 2000, 1, 'Wait 1 second,'],
    [1, 1002, 2, 'Wait 2 seconds'],
    // Who is counted out of order waits no longer than until there is one more.
    [-5, 60_000, 60, 'Wait 60 seconds'],
  ])('says after %i ms how long to wait for what comes every %i ms', async (ms, everyMs, retryAfter, sentence) => {
    await refuseTooMany(call(0, { atOnce: 1, everyMs }))
    await expect(refuseTooMany(call(ms, { atOnce: 1, everyMs }))).rejects.toMatchObject({
      ...{ code: 'too-many', fields: [], retryAfter },
      message: expect.stringMatching(
        new RegExp(`^Too many responses came from your network\\. ${sentence},? ?.*then send yours again\\.$`),
      ),
    })
  })

  it('does not limit a call without a network or an allowance, and stores nothing about it', async () => {
    for (let sent = 0; sent < 5; sent++) {
      for (const unlimited of [{ network: '203.0.113.7' }, { allowance: { atOnce: 1, everyMs: 1000 } }]) {
        expect(await transaction((tx) => countRsvp(tx, testCall(unlimited)))).toEqual({ flooded: false })
        await refuseTooMany(testCall(unlimited))
      }
    }
    const names = async () => (await db.select().from(allowances)).map(({ name }) => name).toSorted()
    expect(await names()).toEqual([])
    await refuseTooMany(call())
    expect(await names()).toEqual(['rsvp 203.0.113.0/24', 'rsvp 203.0.113.7', 'rsvp from everywhere'])
  })

  it('limits the households of one provider together, and marks a flood from many networks', async () => {
    const small = { atOnce: 2, everyMs: 60_000 }
    const homes = Array.from({ length: 20 }, (_, home) => `2001:db8:1:${(0x200 + home).toString(16)}::/64`)
    expect(await countAllowed(homes.map((network) => call(0, small, network)))).toBe(8)
    const marks: boolean[] = []
    for (let network = 0; network < 14; network += 1)
      marks.push((await transaction((tx) => countRsvp(tx, call(0, small, `198.51.${network}.1`)))).flooded)
    expect(marks).toEqual([...Array(12).fill(false), true, true])
  })
})
