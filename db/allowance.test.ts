import { beforeEach, describe, expect, it } from 'vitest'
import { db, transaction } from '#db/storage/client.ts'
import { allowances } from '#db/tables/access.ts'
import { describeOnBothDatabases, emptyTables, testCall } from '#testing/database-fixtures.ts'
import { forgetFullAllowances, takeFromEach, tooMany, widerLevels } from './allowance.ts'

const small = { atOnce: 3, everyMs: 2000 }
const start = testCall().now.getTime()

const at = (ms: number) => new Date(start + ms)
const take = (ms = 0, name = 'rsvp 203.0.113.7', allowance = small) =>
  transaction(async (tx) => (await takeFromEach(tx, [{ name, allowance }], at(ms)))?.wait ?? 0)

async function takeMany(count: number, ms = 0): Promise<number[]> {
  const waits: number[] = []
  for (let taken = 0; taken < count; taken++) waits.push(await take(ms))
  return waits
}

async function names(): Promise<string[]> {
  return (await db.select().from(allowances)).map(({ name }) => name)
}

describeOnBothDatabases('takeFromEach', () => {
  beforeEach(() => emptyTables(allowances))

  it('gives as many as there are at once, then tells how long until the next one', async () => {
    expect(await takeMany(5)).toEqual([0, 0, 0, 2000, 2000])
    expect(await take(500)).toBe(1500)
    expect(await take(1999)).toBe(1)
    expect(await take(2000)).toBe(0)
    expect(await take(2000)).toBe(2000)
  })

  it('fills up one by one, and not beyond full', async () => {
    await takeMany(3)
    expect(await takeMany(3, 4000)).toEqual([0, 0, 2000])
    expect(await takeMany(4, 3_600_000)).toEqual([0, 0, 0, 2000])
  })

  it('takes from a wider allowance only after the narrower one, and returns the empty one', async () => {
    const street = { name: 'street', allowance: { atOnce: 4, everyMs: 1000 } }
    const takeEach = (home: string) =>
      transaction((tx) => takeFromEach(tx, [{ name: home, allowance: small }, street], at(0)))
    for (let taken = 0; taken < 3; taken++) expect(await takeEach('home')).toBeUndefined()
    for (let refused = 0; refused < 5; refused++)
      expect(await takeEach('home')).toMatchObject({ name: 'home', wait: 2000 })
    expect(await takeEach('other')).toBeUndefined()
    expect(await takeEach('third')).toMatchObject({ name: 'street', wait: 1000 })
  })

  it('ignores a moment that was stored while the clock was ahead', async () => {
    await takeMany(3, 3_600_000)
    expect(await takeMany(4)).toEqual([0, 0, 0, 2000])
    const writeAhead = (ms: number) => transaction((tx) => tx.update(allowances).set({ fullAt: start + ms }))
    await writeAhead(16_000)
    expect(await take()).toBe(12_000)
    await writeAhead(16_001)
    expect(await takeMany(4)).toEqual([0, 0, 0, 2000])
  })

  it('forgets a moment that was stored while the clock was a year ahead', async () => {
    await take(365 * 24 * 3_600_000, 'far')
    await take(0, 'now')
    await forgetFullAllowances(at(0))
    expect(await names()).toEqual(['now'])
  })
})

describe('widerLevels', () => {
  const levels = (network: string) => widerLevels('rsvp', network, { atOnce: 60, everyMs: 2000 })

  it.each<[string, [string, number, number][]]>([
    ['203.0.113.47', [['rsvp 203.0.113.0/24', 960, 125]]],
    [
      '2001:db8:1:2ff::/64',
      [
        ['rsvp 2001:db8:1:200::/56', 240, 500],
        ['rsvp 2001:db8:1::/48', 960, 125],
      ],
    ],
    [
      '2001:db8:0:0::/64',
      [
        ['rsvp 2001:db8:0:0::/56', 240, 500],
        ['rsvp 2001:db8:0::/48', 960, 125],
      ],
    ],
    ['unknown', []],
  ])('around %s', (network, expected) => {
    expect(levels(network).map(({ name, allowance: { atOnce, everyMs } }) => [name, atOnce, everyMs])).toEqual(expected)
  })
})

it.each([
  [1, '1 second'],
  [90, '90 seconds'],
  [91, '2 minutes'],
  [121, '3 minutes'],
])('a wait of %i seconds reads %s', (seconds, words) => {
  const message = `Too many wrong passwords. Wait ${words}, then try again.`
  const refused = { code: 'too-many', message, retryAfter: seconds }
  expect(tooMany('too-many-passwords', seconds * 1000)).toMatchObject(refused)
})
