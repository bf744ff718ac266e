import { beforeEach, describe, expect, it } from 'vitest'
import { readKeyedHash } from '#db/keyed-hash.ts'
import { rsvps } from '#db/tables/rsvp.ts'
import { emptyTables, openForTests, testCall, testRsvp } from '#testing/database-fixtures.ts'
import { deleteRsvp, restoreRsvps } from './delete.ts'
import { anonymizeOldRsvps } from './purge.ts'
import { createRsvp } from './submit.ts'
import { createThanksMark, findThankedRsvp } from './thanks.ts'

const TEN_MINUTES = 10 * 60 * 1000
const call = testCall()
const at = (ms: number) => testCall({ now: new Date(call.now.getTime() + ms) })

let count = 0
async function make(name: string) {
  const { id } = await createRsvp({ ...testRsvp({ name }), idempotencyKey: `form ${++count}` }, call)
  return { id, mark: await createThanksMark({ id }, call) }
}

describe('the mark of a thank-you', () => {
  openForTests()
  beforeEach(() => emptyTables(rsvps))

  it('finds its own response for ten minutes', async () => {
    for (const name of ['Ana Cole', 'Bea Cole']) {
      const { id, mark } = await make(name)
      expect(await findThankedRsvp(mark, call)).toMatchObject({ id, name })
      expect(await findThankedRsvp(mark, at(TEN_MINUTES - 1))).toMatchObject({ id })
      for (const ms of [TEN_MINUTES, -1, 365 * 24 * 3600 * 1000])
        expect(await findThankedRsvp(mark, at(ms))).toBeUndefined()
    }
  })

  it('finds nothing that was deleted since, or made anonymous', async () => {
    const { id, mark } = await make('Ana Cole')
    await deleteRsvp({ id: String(id) }, call)
    expect(await findThankedRsvp(mark, call)).toBeUndefined()
    await restoreRsvps({ ids: [id] }, call)
    expect(await findThankedRsvp(mark, call)).toMatchObject({ id })
    await anonymizeOldRsvps({ days: 90 }, testCall({ now: new Date('2026-01-01T00:00:00Z') }))
    expect(await findThankedRsvp(mark, call)).toBeUndefined()
  })

  it('finds nothing when any sign of it was changed, or it was put together from two', async () => {
    const [{ mark }, { mark: other }] = [await make('Ana Cole'), await make('Bea Cole')]
    const [ends = '', digest = '', signature = ''] = mark.split('.')
    const later = (Number.parseInt(ends, 36) + 1).toString(36)
    const forged = [
      ...Array.from(mark, (sign, place) => mark.slice(0, place) + (sign === 'a' ? 'b' : 'a') + mark.slice(place + 1)),
      ...[
        [later, digest, signature],
        [ends, other.split('.')[1], signature],
        [ends, signature, digest],
        [ends, '', ''],
      ].map((parts) => parts.join('.')),
      ...[mark.slice(0, -1), `${mark} `, `${mark}\n`, '', '𝟘'.repeat(91)],
    ]
    for (const text of forged) expect([text, await findThankedRsvp(text, call)]).toEqual([text, undefined])
  })

  it('cannot be made of the secret alone, nor for a response that came without a key', async () => {
    const { id } = await createRsvp(testRsvp(), call)
    expect(await createThanksMark({ id }, call)).toBe('')
    const hash = await readKeyedHash()
    const [ends, digest] = [(call.now.getTime() + 1000).toString(36), hash('key', JSON.stringify(testRsvp()))]
    expect(await findThankedRsvp([ends, digest, hash('thanks', `${ends} ${digest}`)].join('.'), call)).toBeUndefined()
  })
})
