import { beforeAll, expect, it, vi } from 'vitest'
import { describeOnBothDatabases, testCall, testRsvp } from '#db/fixtures.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { openedDatabase, transaction } from '#db/storage/client.ts'
import { deleteRsvp, restoreRsvp } from './delete.ts'
import { listRsvps, pagesFrom, responsesOf } from './list.ts'
import { findAllIds, findIds, matches } from './search.ts'

const call = testCall()
/** More than one slice, with little in it to find. */
const FILLED = 2100

const sent = [
  { name: 'José Álvarez', email: 'jose@alvarez.example', phone: '555-0100', message: 'Line one\nBeten Sie für uns' },
  { name: 'Ana Cole', familyMembers: [{ name: '김민수' }, { name: 'JOEL' }], volunteerRoles: [1] },
  { name: 'Eva Kim', attending: false, message: '100% of_it', volunteerRoles: [2, 3] },
]

describeOnBothDatabases('findIds', () => {
  beforeAll(async () => {
    for (const changes of sent) await createRsvp(testRsvp(changes), call)
    const row = { name: 'Filler', email: 'f@b.co', attending: true, addToCalendar: false, createdAt: '' }
    const many = Array.from({ length: FILLED }, (_, place) => ({ ...row, id: 10 + place, key: String(place) }))
    await transaction((tx) => tx.insert(rsvps).values(many))
    await createRsvp(testRsvp({ name: 'Zoë Last' }), call)
  })

  const searches = [
    'jose',
    'JOSÉ',
    'josé 0100',
    'ｊｏｓｅ',
    'für one',
    '김민수',
    'joel ana',
    'usher',
    'music eva',
    '100%',
  ]
  it.each([...searches, 'of_it', 'o%t', 'oneBeten', 'null', 'zoe', 'f@b.co', "'", '1 greeter'])(
    'finds for %j exactly what `matches` finds',
    async (q) => {
      const all: number[] = []
      for (let before: string | undefined; ; ) {
        const page = await listRsvps({ limit: 1000, before }, call)
        all.push(
          ...responsesOf(page)
            .filter((response) => matches(response, q))
            .map(({ id }) => id),
        )
        if (page.next === undefined) break
        before = String(page.next)
      }
      expect(await findAllIds({ q })).toEqual(all)
    },
  )

  it('finds something for most of these', async () => {
    const found = await Promise.all(searches.map(async (q) => (await findAllIds({ q })).length))
    expect(found.filter((count) => count > 0)).toHaveLength(searches.length)
  })

  it('holds to the rest of the filter', async () => {
    expect(await findAllIds({ q: 'cole.example', status: 'not-attending' })).toEqual([3])
    expect(await findAllIds({ q: 'ana', role: '1' })).toEqual([2])
    expect(await findAllIds({ q: 'ana', suspicious: 'true' })).toEqual([])
  })

  it('goes on below an id', async () => {
    const found: number[] = []
    for await (const some of findIds({ q: 'ana@' }, 3)) found.push(...some)
    expect(found).toEqual([2])
  })

  it('leaves out of a page what is deleted between finding and reading, and goes on behind it', async () => {
    const database = openedDatabase()
    const { read } = database
    const reads = vi.spyOn(database, 'read').mockImplementationOnce(async (...statement) => {
      const found = await read.apply(database, statement)
      for (const id of ['2108', '2107']) await deleteRsvp({ id }, call)
      return found
    })
    const page = await listRsvps({ q: 'filler', limit: '2' }, call)
    reads.mockRestore()
    expect(page.next).toBe(2108)
    expect(responsesOf(page).map(({ id }) => id)).toEqual([2109])
    for (const id of ['2108', '2107']) await restoreRsvp({ id }, call)
  })

  it('gives the call a page, and where the next one begins', async () => {
    const page = await listRsvps({ q: 'filler', limit: '1000' }, call)
    expect(responsesOf(page)).toHaveLength(1000)
    const last = await listRsvps({ q: 'filler', limit: '1000', before: '1010' }, call)
    expect(responsesOf(last).map(({ id }) => id)).toEqual(Array.from({ length: 1000 }, (_, place) => 1009 - place))
    expect(last.next).toBeUndefined()
    expect(page.next).toBe(1110)
    const pages: number[] = []
    for await (const { json } of pagesFrom(await listRsvps({ q: 'cole.example', role: '1' }, call), call))
      pages.push(JSON.parse(String(json)).length)
    expect(pages).toEqual([1])
  })
})
