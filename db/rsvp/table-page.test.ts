import { eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { describeOnBothDatabases, storeRows, testCall } from '#db/fixtures.ts'
import { transaction } from '#db/storage/client.ts'
import { sortByName } from './names.ts'
import { rsvps, volunteerSignups } from './table.ts'
import { getTablePage } from './table-page.ts'

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
    ['newest', byId.toReversed()],
    ['oldest', byId],
    ['name', byName],
  ] as const)('goes through all in the order %s', async (sort, ids) => {
    for (const page of [1, 2, 3]) {
      const ahead = (page - 1) * 100
      const expected = { ids: ids.slice(ahead, ahead + 100), total: COUNT, ahead, page, newest: COUNT }
      expect(await pageOf({ sort, page: String(page) })).toEqual(expected)
    }
    expect(await pageOf({ sort })).toMatchObject({ page: 1 })
    expect(await pageOf({ sort, page: '9' })).toMatchObject({ ids: ids.slice(200), page: 3 })
  })

  it('goes by when a response came, wherever its id is: it may be imported', async () => {
    await transaction((tx) =>
      tx.update(rsvps).set({ createdAt: '2020-01-01T00:00:00.000Z' }).where(eq(rsvps.id, COUNT)),
    )
    expect((await pageOf({})).ids[0]).toBe(COUNT - 1)
    expect((await pageOf({ page: '3' })).ids.at(-1)).toBe(COUNT)
    expect((await pageOf({ sort: 'oldest' })).ids.slice(0, 2)).toEqual([COUNT, 1])
    await transaction((tx) => tx.update(rsvps).set({ createdAt: call.now.toISOString() }).where(eq(rsvps.id, COUNT)))
  })

  it('filters and searches on every page', async () => {
    const attending = byId.filter((id) => id % 3 !== 0).toReversed()
    expect((await pageOf({ status: 'attending' })).ids).toEqual(attending.slice(0, 100))
    const second = await pageOf({ status: 'attending', page: '2' })
    expect(second).toMatchObject({ ids: attending.slice(100), total: attending.length, ahead: 100, newest: COUNT })
    expect(await pageOf({ role: '2', sort: 'name' })).toMatchObject({ ids: [8, 7], total: 2, newest: 8 })
    expect(await pageOf({ role: '2', q: 'bna' })).toMatchObject({ ids: [7], total: 1 })
  })

  it('is empty where nothing matches, and whole where nothing is asked for', async () => {
    const nothing = { ids: [], total: 0, ahead: 0, page: 1, newest: 0 }
    expect(await pageOf({ q: 'nothing at all' })).toEqual(nothing)
    expect(await pageOf({ suspicious: 'true', page: '5' })).toEqual(nothing)
    // Empty fields of a form say nothing.
    expect(await pageOf({ q: ' ', role: '', sort: '', suspicious: '' })).toEqual(await pageOf({}))
  })

  it.each([{ role: 'x' }, { sort: 'email' }, { suspicious: 'no' }, { page: '0' }, { q: 'x'.repeat(201) }])(
    'refuses %j',
    async (request) => {
      await expect(getTablePage(request, call)).rejects.toMatchObject({ code: 'invalid' })
    },
  )
})
