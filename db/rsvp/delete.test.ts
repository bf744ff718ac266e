import { beforeEach, describe, expect, it, vi } from 'vitest'
import { queueMail } from '#db/mail/queue.ts'
import { db, openedDatabase, transaction } from '#db/storage/client.ts'
import { auditEntries } from '#db/tables/access.ts'
import { familyMembers, rsvps, volunteerSignups } from '#db/tables/rsvp.ts'
import { NAMED_IDS_MAXIMUM, type RsvpSearch } from '#db/values/rsvp.ts'
import {
  auditLines,
  emptyTables,
  everyRow,
  openForTests,
  storeRows,
  testCall,
  testRsvp,
} from '#testing/database-fixtures.ts'
import { countRsvps, getStatistics } from './counts.ts'
import { countRsvpsOf, deleteRsvp, deleteRsvps, deleteSelection, eraseRsvps, restoreRsvps } from './delete.ts'
import { getRsvp, listRsvps, responsesOf } from './list.ts'
import { createRsvp } from './submit.ts'

const call = testCall()
const daysLater = (days: number) => testCall({ now: new Date(call.now.getTime() + days * 24 * 3600 * 1000) })
const ascending = (ids: number[]) => ids.toSorted((a, b) => a - b)
const notFound = (message: string) => ({ code: 'not-found', message: expect.stringContaining(message) })

async function make(changes: Record<string, unknown> = {}): Promise<number> {
  const sent = testRsvp({ familyMembers: [{ name: 'Joel Cole' }], volunteerRoles: [1, 2], ...changes })
  return (await createRsvp(sent, call)).id
}

async function idsOf(filter: RsvpSearch = {}): Promise<number[]> {
  return ascending(responsesOf(await listRsvps({ ...filter, limit: 1000 }, call)).map(({ id }) => id))
}

openForTests()
beforeEach(() => emptyTables(rsvps, auditEntries))

describe('a deleted response', () => {
  it('is neither shown nor counted, and comes back with everything that belongs to it', async () => {
    const none = await getStatistics({})
    const id = await make()
    const [before, statistics] = [await getRsvp({ id: String(id) }), await getStatistics({})]
    await deleteRsvp({ id: String(id) }, call)
    expect(await idsOf()).toEqual([])
    const openMode = testCall({ role: 'visitor', actor: 'open mode' })
    expect(await listRsvps({}, openMode)).toMatchObject({ objects: [], next: undefined })
    await expect(getRsvp({ id: String(id) })).rejects.toMatchObject({ code: 'not-found' })
    expect(await countRsvps({})).toBe(0)
    expect(await getStatistics({})).toEqual(none)

    await restoreRsvps({ ids: [id] }, daysLater(1))
    expect(await getRsvp({ id: String(id) })).toEqual(before)
    expect(await getStatistics({})).toEqual(statistics)
    expect(await auditLines()).toEqual([`terminal: response deleted ${id}`, `terminal: response restored ${id}`])
  })

  it('is deleted once and restored once, also by many who try together', async () => {
    const id = await make()
    const deletions = await Promise.allSettled(Array.from({ length: 10 }, () => deleteRsvp({ id: String(id) }, call)))
    expect(deletions.filter(({ status }) => status === 'rejected')).toHaveLength(9)
    await expect(deleteRsvp({ id: String(id) }, call)).rejects.toMatchObject(notFound('There is no such response.'))
    const restored = await Promise.all(Array.from({ length: 10 }, () => restoreRsvps({ ids: [id] }, call)))
    expect(restored.flat()).toEqual([id])
    expect(await auditLines()).toEqual([`terminal: response deleted ${id}`, `terminal: response restored ${id}`])
  })

  it('goes and comes back together with others, as far as they are there', async () => {
    const [one = 0, two = 0, kept = 0] = [await make(), await make(), await make()]
    expect(ascending(await deleteRsvps({ ids: [two, 999_999, one, two] }, call))).toEqual([one, two])
    expect(await deleteRsvps({ ids: [one, two] }, call)).toEqual([])
    expect(await idsOf()).toEqual([kept])
    expect((await getStatistics({})).people.expected).toBe(2)
    expect(ascending(await restoreRsvps({ ids: [kept, two, 999_999, one] }, call))).toEqual([one, two])
    expect(await restoreRsvps({ ids: [one, two] }, call)).toEqual([])
    expect(await idsOf()).toEqual([one, two, kept])
    const acts = ['deleted', 'restored'].flatMap((act) => [one, two].map((id) => `terminal: response ${act} ${id}`))
    expect((await auditLines()).toSorted()).toEqual(acts)
    const twice = await Promise.all([deleteRsvps({ ids: [one, two] }, call), deleteRsvps({ ids: [one, two] }, call)])
    expect(ascending(twice.flat())).toEqual([one, two])
  })

  const tooMany = Array.from({ length: 10_001 }, (_, id) => id + 1)
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
    const mail = { key: 'link', kind: 'link', address: 'Canary@cole.example', dueAt: '', endsAt: '' } as const
    await transaction((tx) => queueMail(tx, [mail], call.now))
    expect(await countRsvpsOf({ email: 'CANARY@cole.example' })).toBe(2)
    const rewritten = vi.spyOn(openedDatabase(), 'rewrite')
    for (const erased of [2, 0]) expect(await eraseRsvps({ email: 'CANARY@cole.example' }, call)).toBe(erased)
    // Else their text stays in unused parts of the file.
    expect(rewritten).toHaveBeenCalledTimes(1)
    expect(await everyRow()).not.toMatch(/canary/i)
    expect(await countRsvpsOf({ email: 'canary@cole.example' })).toBe(0)
    expect(await db.select().from(rsvps)).toMatchObject([{ id: kept }])
    expect([await db.$count(familyMembers), await db.$count(volunteerSignups)]).toEqual([1, 2])
    expect(await auditLines()).toEqual([`terminal: response deleted ${deleted}`, 'terminal: responses erased 2'])
  })

  it.each(['', '%', 'ana@cole.example, b@c.co', undefined])('refuses the address %j', async (email) => {
    const id = await make()
    expect(await eraseRsvps({ email: 'ana@cole.example.org' }, call)).toBe(0)
    await expect(eraseRsvps({ email }, call)).rejects.toMatchObject({ code: 'invalid' })
    await expect(countRsvpsOf({ email })).rejects.toMatchObject({ code: 'invalid' })
    expect(await idsOf()).toEqual([id])
  })
})

describe('a selection', () => {
  const COUNT = NAMED_IDS_MAXIMUM + 50

  const add = (ids: number[], name = 'Ana') => storeRows(ids.map((id) => ({ id, name, attending: id % 2 === 0 })))

  it('is deleted as far as it was shown, in one act that is taken back as one', async () => {
    await add(Array.from({ length: COUNT }, (_, place) => place + 1))
    await deleteRsvp({ id: '2' }, daysLater(-1))
    await add([COUNT + 1], 'Came in later')
    const deleted = await deleteSelection({ newest: COUNT, except: [3] }, call)
    expect(deleted).toHaveLength(COUNT - 2)
    expect(await idsOf()).toEqual([3, COUNT + 1])
    expect(await db.$count(auditEntries)).toBe(COUNT - 1)
    await restoreRsvps({ ids: [7] }, call)
    expect(await restoreRsvps({ ids: deleted }, call)).toHaveLength(COUNT - 3)
    expect(await countRsvps({ status: 'attending' })).toBe(COUNT / 2 - 1)
  })

  it('holds to the filter and to the search', async () => {
    await add([1, 2])
    await add([901, 902], 'José')
    expect(await deleteSelection({ q: 'jose', status: 'attending', newest: 902 }, call)).toEqual([902])
    expect(await deleteSelection({ q: 'jose', newest: 900 }, call)).toEqual([])
    expect(await deleteSelection({ status: 'attending', newest: 902 }, call)).toEqual([2])
    expect(await idsOf()).toEqual([1, 901])
  })

  it('is refused without the newest that was shown', async () => {
    for (const newest of [undefined, '5'])
      await expect(deleteSelection({ newest }, call)).rejects.toMatchObject({ code: 'invalid' })
  })
})
