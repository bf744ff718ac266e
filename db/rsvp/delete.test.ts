import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { auditEntries } from '#db/audit/table.ts'
import { auditLines, emptyTables, everyRow, openForTests, storeRows, testCall, testRsvp } from '#db/fixtures.ts'
import { db, openedDatabase, transaction } from '#db/storage/client.ts'
import { countRsvps, getStatistics } from './counts.ts'
import {
  countRsvpsOf,
  deleteRsvp,
  deleteRsvps,
  deleteSelection,
  eraseRsvps,
  restoreDeletion,
  restoreRsvp,
  restoreRsvps,
} from './delete.ts'
import { getDeletedRsvps, getRsvp, listRsvps, responsesOf } from './list.ts'
import { NAMED_IDS_MAXIMUM, type RsvpFilter, WRITE_BATCH_SIZE } from './schema.ts'
import { createRsvp } from './submit.ts'
import { familyMembers, rsvps, volunteerSignups } from './table.ts'
import { getTablePage } from './table-page.ts'

const call = testCall()
const daysLater = (days: number) => testCall({ now: new Date(call.now.getTime() + days * 24 * 3600 * 1000) })
const ascending = (ids: number[]) => ids.toSorted((a, b) => a - b)
const notFound = (message: string) => ({ code: 'not-found', message: expect.stringContaining(message) })

async function make(changes: Record<string, unknown> = {}): Promise<number> {
  const sent = testRsvp({ familyMembers: [{ name: 'Joel Cole' }], volunteerRoles: [1, 2], ...changes })
  return (await createRsvp(sent, call)).id
}

async function idsOf(filter: RsvpFilter = {}): Promise<number[]> {
  return ascending(responsesOf(await listRsvps({ ...filter, limit: 1000 }, call)).map(({ id }) => id))
}

openForTests()
beforeEach(() => emptyTables(rsvps, auditEntries))

describe('a deleted response', () => {
  it('is neither shown nor counted, and comes back with everything that belongs to it', async () => {
    const none = await getStatistics({}, call)
    const id = await make()
    const [before, statistics] = [await getRsvp({ id: String(id) }, call), await getStatistics({}, call)]
    await deleteRsvp({ id: String(id) }, call)
    expect(await idsOf()).toEqual([])
    const openMode = testCall({ role: 'visitor', actor: 'open mode' })
    expect(await listRsvps({}, openMode)).toMatchObject({ json: Buffer.from('[]'), next: undefined })
    await expect(getRsvp({ id: String(id) }, call)).rejects.toMatchObject({ code: 'not-found' })
    expect(await countRsvps({}, call)).toEqual({ attending: 0, notAttending: 0 })
    expect(await getStatistics({}, call)).toEqual(none)

    await restoreRsvp({ id: String(id) }, daysLater(1))
    expect(await getRsvp({ id: String(id) }, call)).toEqual(before)
    expect(await getStatistics({}, call)).toEqual(statistics)
    expect(await auditLines()).toEqual([`terminal: response deleted ${id}`, `terminal: response restored ${id}`])
  })

  it('is deleted once and restored once, also by many who try together', async () => {
    const id = String(await make())
    const many = (act: typeof deleteRsvp) => Promise.allSettled(Array.from({ length: 10 }, () => act({ id }, call)))
    const failures = (ends: { status: string }[]) => ends.filter(({ status }) => status === 'rejected').length
    await expect(restoreRsvp({ id }, call)).rejects.toMatchObject(notFound('No deleted response has this number.'))
    expect(failures(await many(deleteRsvp))).toBe(9)
    await expect(deleteRsvp({ id }, call)).rejects.toMatchObject(notFound('There is no such response.'))
    expect(failures(await many(restoreRsvp))).toBe(9)
    expect(await auditLines()).toEqual([`terminal: response deleted ${id}`, `terminal: response restored ${id}`])
  })

  it('goes and comes back together with others, as far as they are there', async () => {
    const [one = 0, two = 0, kept = 0] = [await make(), await make(), await make()]
    expect(ascending(await deleteRsvps({ ids: [two, 999_999, one, two] }, call))).toEqual([one, two])
    expect(await deleteRsvps({ ids: [one, two] }, call)).toEqual([])
    expect(await idsOf()).toEqual([kept])
    expect((await getStatistics({}, call)).people.expected).toBe(2)
    expect(ascending(await restoreRsvps({ ids: [kept, two, 999_999, one] }, call))).toEqual([one, two])
    expect(await restoreRsvps({ ids: [one, two] }, call)).toEqual([])
    expect(await idsOf()).toEqual([one, two, kept])
    const acts = ['deleted', 'restored'].flatMap((act) => [one, two].map((id) => `terminal: response ${act} ${id}`))
    expect((await auditLines()).toSorted()).toEqual(acts)
    const twice = await Promise.all([deleteRsvps({ ids: [one, two] }, call), deleteRsvps({ ids: [one, two] }, call)])
    expect(ascending(twice.flat())).toEqual([one, two])
  })

  it('is one deletion with those that name the first of them, which one restore undoes, and only them', async () => {
    const ids = [await make(), await make(), await make(), await make()]
    const [first, second, late, other] = ids.map(String)
    const seconds = (count: number) => testCall({ now: new Date(call.now.getTime() + count * 1000) })
    await deleteRsvp({ id: first }, call)
    await deleteRsvp({ id: other }, seconds(1))
    await deleteRsvp({ id: second, deletedWith: first }, seconds(2))
    // So late, it would be erased before its own 30 days are over.
    await deleteRsvp({ id: late, deletedWith: first }, seconds(601))
    const { together } = await getDeletedRsvps(call)
    expect(together).toEqual([{ deletedAt: call.now.toISOString(), mergedInto: null, count: 2 }])
    expect(await restoreDeletion({ deletedAt: call.now.toISOString() }, call)).toEqual({ changed: 2, left: 0 })
    expect(await idsOf()).toEqual([ids[0], ids[1]])
    // Another administrator has restored the first meanwhile.
    await deleteRsvp({ id: second, deletedWith: first }, seconds(3))
    expect((await getDeletedRsvps(call)).together).toEqual([])
  })

  it('is restored without what its sender withdrew, or a merge deleted, at the same moment', async () => {
    const [kept, withdrawn, merged, deleted] = [await make(), await make(), await make(), await make()]
    const deletedAt = call.now.toISOString()
    const change = (id: number, changes: Partial<typeof rsvps.$inferInsert>) =>
      transaction((tx) =>
        tx
          .update(rsvps)
          .set({ deletedAt, ...changes })
          .where(eq(rsvps.id, id)),
      )
    await change(withdrawn, { changedAt: deletedAt })
    await change(merged, { mergedInto: kept })
    await deleteRsvp({ id: String(deleted), deletedWith: String(merged) }, call)
    expect(await restoreDeletion({ deletedAt, mergedInto: null }, call)).toEqual({ changed: 1, left: 0 })
    expect(await idsOf()).toEqual([kept, deleted])
    expect(await restoreDeletion({ deletedAt, mergedInto: kept }, call)).toEqual({ changed: 1, left: 0 })
  })

  const tooMany = Array.from({ length: NAMED_IDS_MAXIMUM + 1 }, (_, id) => id + 1)
  it.each([[['1']], [[1.5]], [[null]], [tooMany], ['1'], [undefined]])(
    'cannot be named by anything but some ids (%#)',
    async (ids) => {
      await make()
      await expect(deleteRsvps({ ids }, call)).rejects.toMatchObject({ code: 'invalid' })
      await expect(restoreRsvps({ ids }, call)).rejects.toMatchObject({ code: 'invalid' })
      expect(await idsOf()).toHaveLength(1)
      expect(await deleteRsvps({ ids: [] }, call)).toEqual([])
    },
  )
})

describe('erasing', () => {
  it('takes everything of one address, however it is written and whether deleted or not', async () => {
    await make({ email: 'Canary@Cole.example', name: 'Canary One', message: 'canary message', phone: 'canary phone' })
    const deleted = await make({ email: 'canary@cole.EXAMPLE', familyMembers: [{ name: 'Canary Child' }] })
    await deleteRsvp({ id: String(deleted) }, call)
    const kept = await make({ email: 'ana@cole.example' })
    expect(await countRsvpsOf({ email: 'CANARY@cole.example' }, call)).toBe(2)
    const rewritten = vi.spyOn(openedDatabase(), 'rewrite')
    for (const erased of [2, 0]) expect(await eraseRsvps({ email: 'CANARY@cole.example' }, call)).toBe(erased)
    // Else their text stays in unused parts of the file.
    expect(rewritten).toHaveBeenCalledTimes(1)
    expect(await everyRow()).not.toMatch(/canary/i)
    expect(await countRsvpsOf({ email: 'canary@cole.example' }, call)).toBe(0)
    expect(await db.select().from(rsvps)).toMatchObject([{ id: kept }])
    expect([await db.$count(familyMembers), await db.$count(volunteerSignups)]).toEqual([1, 2])
    expect(await auditLines()).toEqual([`terminal: response deleted ${deleted}`, 'terminal: responses erased 2'])
  })

  it.each(['', '%', 'ana@cole.example, b@c.co', undefined])('refuses the address %j', async (email) => {
    const id = await make()
    expect(await eraseRsvps({ email: 'ana@cole.example.org' }, call)).toBe(0)
    await expect(eraseRsvps({ email }, call)).rejects.toMatchObject({ code: 'invalid' })
    await expect(countRsvpsOf({ email }, call)).rejects.toMatchObject({ code: 'invalid' })
    expect(await idsOf()).toEqual([id])
  })
})

describe('a selection', () => {
  const COUNT = WRITE_BATCH_SIZE + 50

  const add = (ids: number[], name = 'Ana') => storeRows(ids.map((id) => ({ id, name, attending: id % 2 === 0 })))

  /** All that matches, as the table shows it. */
  async function shown(filter: Record<string, string> = {}) {
    const { newest, total, fingerprint } = await getTablePage(filter, call)
    return { ...filter, newest, count: total, fingerprint }
  }

  it('is deleted as far as it was shown, in one act that one undo takes back', async () => {
    await add(Array.from({ length: COUNT }, (_, place) => place + 1))
    await deleteRsvp({ id: '2' }, daysLater(-1))
    const selected = { ...(await shown()), count: COUNT - 2, except: [3] }
    await expect(deleteSelection({ ...selected, count: COUNT }, call)).rejects.toMatchObject({
      code: 'changed-meanwhile',
    })
    await add([900], 'Came in later')
    const { deletedAt, ...deletion } = await deleteSelection(selected, call)
    expect(deletion).toEqual({ changed: COUNT - 2, left: 0 })
    expect(await idsOf()).toEqual([3, 900])
    expect((await auditLines()).at(-1)).toMatch(/^terminal: response deleted \d+$/)
    expect(await db.$count(auditEntries)).toBe(COUNT - 1)
    await restoreRsvp({ id: '7' }, call)
    expect(await restoreDeletion({ deletedAt }, call)).toEqual({ changed: COUNT - 3, left: 0 })
    expect(await idsOf()).toHaveLength(COUNT)
    expect(await restoreDeletion({ deletedAt }, call)).toEqual({ changed: 0, left: 0 })
  })

  it('holds to the filter and to the search', async () => {
    await add([1, 2])
    await add([901, 902], 'José')
    const attending = await shown({ q: 'jose', status: 'attending' })
    expect(await deleteSelection(attending, call)).toMatchObject({ changed: 1 })
    const before = { q: 'jose', newest: 900, count: 0, fingerprint: 0 }
    expect(await deleteSelection(before, call)).toMatchObject({ changed: 0 })
    expect(await idsOf()).toEqual([1, 2, 901])
    expect(await auditLines()).toEqual(['terminal: response deleted 902'])
  })

  it.each([
    ['more', [5], []],
    ['fewer', [], [6]],
    ['others with the same sum of squares and number', [1, 5, 6], [2, 3, 7]],
  ])('is refused where %s matches than was shown, also in a search', async (_, hidden, gone) => {
    await add([1, 2, 3, 4, 5, 6, 7])
    for (const filter of [{ q: '' }, { q: 'ana' }]) {
      await deleteRsvps({ ids: hidden }, call)
      const selected = await shown(filter)
      await restoreRsvps({ ids: hidden }, call)
      await deleteRsvps({ ids: gone }, call)
      await expect(deleteSelection(selected, call)).rejects.toMatchObject({
        code: 'changed-meanwhile',
        message: 'The matching responses have changed since you saw them. Check them again.',
      })
      expect(await idsOf()).toHaveLength(7 - gone.length)
      await restoreRsvps({ ids: gone }, call)
    }
  })

  it('is refused without its bounds, and not brought back without its moment', async () => {
    for (const wrong of [{ newest: undefined }, { count: undefined }, { fingerprint: undefined }, { newest: '5' }]) {
      const selection = { newest: 5, count: 5, fingerprint: 5, ...wrong }
      await expect(deleteSelection(selection, call)).rejects.toMatchObject({ code: 'invalid' })
    }
    for (const deletedAt of [undefined, 'today'])
      await expect(restoreDeletion({ deletedAt }, call)).rejects.toMatchObject({ code: 'invalid' })
  })
})
