import { eq, gte, lte } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { changeSettings } from '#db/settings.ts'
import { transaction } from '#db/storage/client.ts'
import { rsvps, volunteerSignups } from '#db/tables/rsvp.ts'
import { sortByName } from '#db/values/names.ts'
import type { RsvpSearch } from '#db/values/rsvp.ts'
import type { PublicNames } from '#db/values/settings.ts'
import { deletionOf } from '#db/values/stored-rsvp.ts'
import {
  describeOnBothDatabases,
  emptyTables,
  openForTests,
  storeRows,
  testCall,
  testRsvp,
  testStoredRsvp,
} from '#testing/database-fixtures.ts'
import { deleteRsvp } from './delete.ts'
import { getDeletedRsvps, getRsvp, getTablePage, listRsvps, pagesFrom, responsesOf } from './list.ts'
import { createRsvp } from './submit.ts'

const call = testCall()
const visitor = testCall({ role: 'visitor', actor: 'visitor' })
const openMode = testCall({ role: 'visitor', actor: 'open mode' })
const createdAt = '2025-01-05T14:00:00.000Z'

const idsOf = (responses: { id: number }[]) => responses.map(({ id }) => id)
const make = async (changes: Record<string, unknown> = {}) => (await createRsvp(testRsvp(changes), call)).id
const shown = async (input: unknown = {}, reader = visitor) => responsesOf(await listRsvps(input, reader))

describeOnBothDatabases('responses', () => {
  /** Two pages and a little of a third one, the newest first; every third does not attend. */
  const made = Array.from({ length: 905 }, (_, place) => ({ id: 905 - place, attending: place % 3 !== 0 }))

  beforeAll(() => storeRows(made))

  async function idsByPage(filter: RsvpSearch & { limit?: number; before?: string }) {
    const pages = await Array.fromAsync(pagesFrom(await listRsvps(filter, call), call))
    return pages.map((page) => idsOf(responsesOf(page)))
  }
  const sizesOf = (pages: number[][]) => pages.map(({ length }) => length)

  it('are gone through each once, the newest first', async () => {
    const pages = await idsByPage({})
    expect(sizesOf(pages)).toEqual([200, 200, 200, 200, 105])
    expect(pages.flat()).toEqual(idsOf(made))
  })

  it('begin with the page that is given, whatever its size, and end after a full page when it is the last', async () => {
    expect(sizesOf(await idsByPage({ limit: 7 }))).toEqual([7, 200, 200, 200, 200, 98])
    expect(sizesOf(await idsByPage({ limit: 4, before: '405' }))).toEqual([4, 200, 200])
    expect(await idsByPage({ week: '2031-01-04' })).toEqual([[]])
  })

  it('are filtered on every page', async () => {
    const pages = await idsByPage({ status: 'attending' })
    expect(sizesOf(pages)).toEqual([200, 200, 200, 3])
    expect(pages.flat()).toEqual(idsOf(made.filter(({ attending }) => attending)))
  })

  it('are neither repeated nor skipped when some come and go meanwhile', async () => {
    const seen: number[] = []
    for await (const page of pagesFrom(await listRsvps({}, call), call)) {
      seen.push(...idsOf(responsesOf(page)))
      if (seen.length > 200) continue
      await make()
      await deleteRsvp({ id: String(seen.at(-1)) }, call)
    }
    expect(seen).toEqual(idsOf(made))
  })

  it('come one by one with everything that belongs to them', async () => {
    const sent = {
      phone: '555-0100',
      message: 'Line one\n👨‍👩‍👧‍👦 "quoted"',
      addToCalendar: true,
      calendarType: 'ical' as const,
      familyMembers: [
        { name: 'Joel Cole', age: 'child' as const, attending: true },
        { name: 'محمد علي', attending: false },
      ],
      volunteerRoles: [3, 2],
    }
    const [id, least] = [await make(sent), await make({ attending: false })]
    const { volunteerRoles: _, familyMembers: [child, other] = [], ...fields } = sent
    expect(await getRsvp({ id: String(id) })).toEqual(
      testStoredRsvp(id, {
        ...fields,
        familyMembers: [child, { ...other, age: null }] as never,
        volunteerSignups: [{ role: { id: 2, name: 'Usher' } }, { role: { id: 3, name: 'Music' } }],
      }),
    )
    expect(await getRsvp({ id: String(least) })).toEqual(testStoredRsvp(least, { attending: false }))
    await expect(getRsvp({ id: '999999999' })).rejects.toMatchObject({ code: 'not-found' })
  })
})

describe('listRsvps', () => {
  openForTests()
  beforeEach(async () => {
    await emptyTables(rsvps)
    await changeSettings({ publicNames: 'initial' }, call)
  })

  const everything = {
    phone: 'canary',
    message: 'canary',
    addToCalendar: true,
    calendarType: 'ical',
    website: 'canary',
    familyMembers: [{ name: 'Canary Child', age: 'child' }],
    volunteerRoles: [1],
  }

  it.each<[PublicNames, string, string]>([
    ['initial', 'Ana C.', 'J.'],
    ['full', 'Ana Cole', 'Joel'],
  ])('shows visitors with %s names no more than four fields', async (names, ana, joel) => {
    await changeSettings({ publicNames: names }, call)
    const [id, other] = [await make(everything), await make({ name: 'Joel', attending: false })]
    expect(await shown()).toEqual([
      { id: other, name: joel, attending: false, createdAt },
      { id, name: ana, attending: true, createdAt },
    ])
  })

  it.each<PublicNames>(['counts', 'none'])('is refused where they see %s, whatever they ask for', async (names) => {
    await changeSettings({ publicNames: names }, call)
    for (const input of [{}, { limit: 1 }, { deleted: 'true' }, { email: 'ana@cole.example' }, { before: '9' }])
      await expect(listRsvps(input, visitor)).rejects.toMatchObject({
        code: 'unauthenticated',
        message: 'Only the administrator sees the list of responses. Sign in at /admin.',
      })
  })

  it.each<PublicNames>(['full', 'initial', 'counts', 'none'])(
    'is whole for the administrator, and with full names in open mode, where visitors see %s',
    async (names) => {
      await changeSettings({ publicNames: names }, call)
      const id = await make(everything)
      expect(await shown({}, call)).toMatchObject([{ id, name: 'Ana Cole', email: 'ana@cole.example' }])
      expect(await shown({}, openMode)).toEqual([{ id, name: 'Ana Cole', attending: true, createdAt }])
    },
  )

  it('shows visitors nothing deleted, and can be asked neither for that nor for an address', async () => {
    const [kept, gone] = [await make(), await make({ email: 'joel@cole.example' })]
    await deleteRsvp({ id: String(gone) }, call)
    const filters = [{}, { deleted: 'true' }, { deleted: 'nonsense' }, { email: 'joel@cole.example' }, { email: '' }]
    for (const filter of filters) {
      expect(await shown(filter)).toEqual([{ id: kept, name: 'Ana C.', attending: true, createdAt }])
      expect(await shown(filter, openMode)).toMatchObject([{ id: kept }])
    }
  })

  it.each([{ status: 'maybe' }, { week: '2025-02-30' }, { limit: 1001 }])('refuses the filter %o', async (filter) => {
    await expect(listRsvps(filter, call)).rejects.toMatchObject({ code: 'invalid' })
  })
})

describe('getDeletedRsvps', () => {
  openForTests()
  beforeEach(() => emptyTables(rsvps))

  const at = (second: number) => new Date(call.now.getTime() + second * 1000).toISOString()
  const add = (deletions: (string | null)[]) =>
    storeRows(deletions.map((deletedAt, place) => ({ id: place + 1, deletedAt })))

  it('begins with what was deleted last, also where that came in first', async () => {
    await add([at(500), null, ...Array.from({ length: 119 }, (_, place) => at(place))])
    const { responses, total } = await getDeletedRsvps()
    expect(idsOf(responses)).toEqual([1, ...Array.from({ length: 99 }, (_, place) => 121 - place)])
    expect(responses[0]).toMatchObject({ name: 'Ana Cole', deletedAt: at(500), familyMembers: [] })
    expect(total).toBe(120)
  })

  it('tells a merge, a deletion and a withdrawal at the same moment from each other', async () => {
    await add(Array.from({ length: 7 }, () => at(0)))
    await transaction(async (tx) => {
      await tx.update(rsvps).set({ mergedInto: 9 }).where(lte(rsvps.id, 2))
      await tx
        .update(rsvps)
        .set({ changedAt: at(0) })
        .where(gte(rsvps.id, 6))
    })
    const { responses } = await getDeletedRsvps()
    const told = ['withdrawn', 'withdrawn', 'deleted', 'deleted', 'deleted', 'merged', 'merged']
    expect(responses.map(deletionOf)).toEqual(told)
  })
})

/** Two pages and a half, with names in another order than their ids; every third does not attend. */
const COUNT = 250
const families = ['Álvarez', 'cole', 'Öst', 'Zell']
const nameOf = (id: number) => `${id % 2 === 0 ? 'a' : 'B'}na ${id % 50} ${families[id % 4]}`
const byId = Array.from({ length: COUNT }, (_, place) => place + 1)
/** As on the sheet; those with the same name in the order of their ids. */
const byName = sortByName(byId.map((id) => ({ id, name: nameOf(id) }))).map(({ id }) => id)

async function pageOf(request: Record<string, string>) {
  const { responses, ...counts } = await getTablePage(request)
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
      await expect(getTablePage(request)).rejects.toMatchObject({ code: 'invalid' })
    },
  )
})
