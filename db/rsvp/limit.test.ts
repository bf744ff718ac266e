import { beforeEach, expect, it } from 'vitest'
import { listFloods } from '#db/access/floods.ts'
import { allowances } from '#db/access/table.ts'
import { describeOnBothDatabases, testCall } from '#db/fixtures.ts'
import { db, transaction } from '#db/storage/client.ts'
import { refuseTooMany, takeRsvp } from './limit.ts'

const usual = { atOnce: 60, everyMs: 2000 }
const start = testCall().now.getTime()

const at = (ms: number) => new Date(start + ms)

async function names(): Promise<string[]> {
  return (await db.select().from(allowances)).map(({ name }) => name).toSorted()
}

describeOnBothDatabases('refuseTooMany', () => {
  const call = (ms = 0, allowance = usual) => testCall({ network: '203.0.113.7', allowance, now: at(ms) })

  beforeEach(async () => {
    await transaction((tx) => tx.delete(allowances))
  })

  it('allows 60 at once, and after that 30 a minute', async () => {
    for (let sent = 0; sent < 60; sent++) await refuseTooMany(call())
    await expect(refuseTooMany(call())).rejects.toMatchObject({ code: 'too-many' })
    let through = 0
    for (let ms = 0; ms < 60_000; ms += 1000) {
      await refuseTooMany(call(1 + ms)).then(
        () => through++,
        () => {},
      )
    }
    expect(through).toBe(29)
    await refuseTooMany(call(60_000))
  })

  it('never refuses 200 who come evenly from one network within five minutes', async () => {
    for (let sent = 0; sent < 200; sent++) await refuseTooMany(call(sent * 1500))
  })

  it.each([
    [0, 60_000, 60, 'Wait 60 seconds'],
    [1, 60_000, 60, 'Wait 60 seconds'],
    [1000, 2000, 1, 'Wait 1 second,'],
    [1, 1002, 2, 'Wait 2 seconds'],
  ])('says after %i ms how long to wait for what comes every %i ms', async (ms, everyMs, retryAfter, sentence) => {
    await refuseTooMany(call(0, { atOnce: 1, everyMs }))
    await expect(refuseTooMany(call(ms, { atOnce: 1, everyMs }))).rejects.toMatchObject({
      code: 'too-many',
      fields: [],
      retryAfter,
      message: expect.stringMatching(
        new RegExp(`^Too many responses came from your network\\. ${sentence},? ?.*then send yours again\\.$`),
      ),
    })
  })

  it('never says to wait for longer than until the next, also to who is counted out of order', async () => {
    const small = { atOnce: 1, everyMs: 60_000 }
    await refuseTooMany(call(5, small))
    await expect(refuseTooMany(call(0, small))).rejects.toMatchObject({ retryAfter: 60 })
  })

  it('does not limit a call without a network or an allowance, and stores nothing about it', async () => {
    for (let sent = 0; sent < 5; sent++) {
      await refuseTooMany(testCall({ network: '203.0.113.7' }))
      await refuseTooMany(testCall({ allowance: { atOnce: 1, everyMs: 1000 } }))
    }
    expect(await names()).toEqual([])
    await refuseTooMany(call())
    expect(await names()).toEqual(['rsvp 203.0.113.0/24', 'rsvp 203.0.113.7', 'rsvp from everywhere'])
  })

  it('limits the households of one provider together, and marks a flood from many networks', async () => {
    const small = { atOnce: 2, everyMs: 60_000 }
    const send = (network: string) => refuseTooMany(testCall({ network, allowance: small, now: at(0) }))
    const homes = Array.from({ length: 20 }, (_, home) => `2001:db8:1:${(0x200 + home).toString(16)}::/64`)
    const sent = await Promise.allSettled(homes.map(send))
    expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(8)
    const marks: boolean[] = []
    for (let network = 0; network < 14; network += 1) {
      const from = testCall({ network: `198.51.${network}.1`, allowance: small, now: at(0) })
      marks.push((await transaction((tx) => takeRsvp(tx, from))).flooded)
    }
    expect(marks).toEqual([...Array(12).fill(false), true, true])
    expect(await listFloods(testCall({ now: at(0) }))).toEqual([{ kind: 'rsvps', at: at(0).toISOString() }])
  })
})
