import { eq, gte } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { describeOnBothDatabases, storeRows, testCall } from '#db/fixtures.ts'
import { transaction } from '#db/storage/client.ts'
import { deleteRsvp } from './delete.ts'
import { sortByName } from './names.ts'
import { rsvps, volunteerSignups } from './table.ts'
import { getTablePage, getTableRows } from './table-page.ts'

const call = testCall()
/** Two pages and a half, with names in another order than their ids; every third does not attend. */
const COUNT = 250
const families = ['Álvarez', 'cole', 'Öst', 'Zell']
const nameOf = (id: number) => `${id % 2 === 0 ? 'a' : 'B'}na ${id % 50} ${families[id % 4]}`
const byId = Array.from({ length: COUNT }, (_, place) => place + 1)
/** As on the sheet; those with the same name in the order of their ids. */
const byName = sortByName(byId.map((id) => ({ id, name: nameOf(id) }))).map(({ id }) => id)

async function pageOf(request: Record<string, string>) {
  const { responses, ...counts } = await getTablePage(request, call)
  return { ...counts, ids: responses.map(({ id }) => id) }
}

describeOnBothDatabases('getTablePage', () => {
  beforeAll(async () => {
    await storeRows(byId.map((id) => ({ id, name: nameOf(id), attending: id % 3 !== 0 })))
    const offers = [7, 8, 9].map((rsvpId) => ({ rsvpId, roleId: 2 }))
    await transaction((tx) => tx.insert(volunteerSignups).values(offers))
  })

  it.each([
    ['newest', byId.toReversed(), 'before', 'after'],
    ['oldest', byId, 'after', 'before'],
    ['name', byName, 'after', 'before'],
  ] as const)('goes through all in the order %s, there and back', async (sort, ids, next, previous) => {
    const first = await pageOf({ sort })
    expect(first).toEqual({ ids: ids.slice(0, 100), total: COUNT, ahead: 0, newest: COUNT })
    const second = await pageOf({ sort, [next]: String(first.ids.at(-1)) })
    expect(second).toEqual({ ids: ids.slice(100, 200), total: COUNT, ahead: 100, newest: COUNT })
    const last = await pageOf({ sort, [next]: String(second.ids.at(-1)) })
    expect(last).toEqual({ ids: ids.slice(200), total: COUNT, ahead: 200, newest: COUNT })
    expect(await pageOf({ sort, [previous]: String(last.ids[0]) })).toEqual(second)
    expect(await pageOf({ sort, [previous]: String(second.ids[0]) })).toEqual(first)
  })

  it('goes by when a response came, wherever its id is: it may be imported', async () => {
    await transaction((tx) =>
      tx.update(rsvps).set({ createdAt: '2020-01-01T00:00:00.000Z' }).where(eq(rsvps.id, COUNT)),
    )
    const { ids } = await pageOf({})
    expect(ids[0]).toBe(COUNT - 1)
    expect((await pageOf({ before: '51' })).ids.at(-1)).toBe(COUNT)
    expect((await pageOf({ sort: 'oldest' })).ids.slice(0, 2)).toEqual([COUNT, 1])
    await transaction((tx) => tx.update(rsvps).set({ createdAt: call.now.toISOString() }).where(eq(rsvps.id, COUNT)))
  })

  it('filters and searches on every page', async () => {
    const attending = byId.filter((id) => id % 3 !== 0).toReversed()
    const { ids } = await pageOf({ status: 'attending' })
    expect(ids).toEqual(attending.slice(0, 100))
    const second = await pageOf({ status: 'attending', before: String(ids.at(-1)) })
    expect(second).toEqual({ ids: attending.slice(100), total: attending.length, ahead: 100, newest: COUNT })
    expect(await pageOf({ role: '2', sort: 'name' })).toEqual({ ids: [8, 7], total: 2, ahead: 0, newest: 8 })
    expect(await pageOf({ role: '2', q: 'bna' })).toMatchObject({ ids: [7], total: 1 })
    expect(await pageOf({ q: 'bna', sort: 'oldest', after: '199' })).toMatchObject({ total: 125, ahead: 100 })
  })

  it('gives all rows in pieces for a print', async () => {
    const printed = await getTableRows({ sort: 'name', q: 'bna' }, call)
    const names = (await Array.fromAsync(printed)).flat().map(({ name }) => name)
    expect(names).toEqual(byName.filter((id) => id % 2 === 1).map(nameOf))
    const many = Array.from({ length: 800 }, (_, place) => ({ id: 1000 + place, email: 'm@b.co', attending: false }))
    await storeRows(many)
    for (const sort of ['newest', 'oldest', 'name']) {
      const pieces = await getTableRows({ sort, status: 'not-attending', q: 'm@b.co' }, call)
      const ids = (await Array.fromAsync(pieces)).flat().map(({ id }) => id)
      expect(ids).toHaveLength(800)
      expect(new Set(ids).size).toBe(800)
      expect(ids[0]).toBe(sort === 'newest' ? 1799 : 1000)
    }
    await transaction((tx) => tx.delete(rsvps).where(gte(rsvps.id, 1000)))
  })

  it('shows the first page instead of one that is empty or cut short at its front', async () => {
    const first = await pageOf({})
    expect(await pageOf({ before: '1' })).toEqual(first)
    expect(await pageOf({ after: '200' })).toEqual(first)
    expect(await pageOf({ sort: 'name', after: '99999' })).toMatchObject({ ids: byName.slice(0, 100) })
  })

  it('is empty where nothing matches, and whole where nothing is asked for', async () => {
    const nothing = { ids: [], total: 0, ahead: 0, newest: 0 }
    expect(await pageOf({ q: 'nothing at all' })).toEqual(nothing)
    expect(await pageOf({ suspicious: 'true', before: '5' })).toEqual(nothing)
    // Empty fields of a form say nothing.
    expect(await pageOf({ q: ' ', role: '', sort: '', suspicious: '' })).toEqual(await pageOf({}))
  })

  it.each([{ role: 'x' }, { sort: 'email' }, { suspicious: 'no' }, { before: '-1' }, { q: 'x'.repeat(201) }])(
    'refuses %j',
    async (request) => {
      await expect(getTablePage(request, call)).rejects.toMatchObject({ code: 'invalid' })
    },
  )

  it('goes on behind a row that was deleted meanwhile, and beside one that was erased', async () => {
    await deleteRsvp({ id: '103' }, call)
    const place = byName.indexOf(103)
    const next = await pageOf({ sort: 'name', after: '103' })
    expect([next.ids[0], next.ahead]).toEqual([byName[place + 1], place])
    const previous = await pageOf({ sort: 'name', before: '103' })
    expect([previous.ids.at(-1), previous.ahead]).toEqual([byName[place - 1], Math.max(0, place - 100)])
    await transaction((tx) => tx.delete(rsvps).where(eq(rsvps.id, 150)))
    expect((await pageOf({ before: '150' })).ids[0]).toBe(149)
    expect((await pageOf({ sort: 'oldest', after: '150' })).ids[0]).toBe(151)
  })
})
