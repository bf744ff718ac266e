import { beforeAll, expect, it, vi } from 'vitest'
import { describeOnBothDatabases, testCall, testRsvp } from '#db/fixtures.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { openedDatabase, transaction } from '#db/storage/client.ts'
import { deleteRsvp } from './delete.ts'
import { listRsvps, pagesFrom, responsesOf } from './list.ts'
import type { RsvpFilter } from './schema.ts'

const call = testCall()

/** Two pages and a little of a third one, the newest first; every third does not attend. */
const made = Array.from({ length: 905 }, (_, place) => ({ id: 905 - place, attending: place % 3 !== 0 }))
const idsOf = (responses: { id: number }[]) => responses.map(({ id }) => id)

async function idsByPage(filter: RsvpFilter, first: { limit?: number; before?: string } = {}) {
  const pages: number[][] = []
  const page = await listRsvps({ ...filter, ...first }, call)
  for await (const next of pagesFrom(page, call)) pages.push(idsOf(responsesOf(next)))
  return pages
}

const sizesOf = (pages: number[][]) => pages.map(({ length }) => length)

describeOnBothDatabases('pagesFrom', () => {
  beforeAll(async () => {
    const row = { name: 'Ana Cole', email: 'ana@cole.example', addToCalendar: false, createdAt: call.now.toISOString() }
    await transaction((tx) => tx.insert(rsvps).values(made.map((one) => ({ ...row, ...one, key: String(one.id) }))))
  })

  it('goes through all responses, each once, the newest first', async () => {
    const pages = await idsByPage({})
    expect(sizesOf(pages)).toEqual([200, 500, 205])
    expect(pages.flat()).toEqual(idsOf(made))
  })

  it('begins with the page it is given, whatever its size', async () => {
    const pages = await idsByPage({}, { limit: 7 })
    expect(sizesOf(pages)).toEqual([7, 500, 398])
    expect(pages.flat()).toEqual(idsOf(made))
  })

  it('holds to the filter on every page', async () => {
    const attending = made.filter((one) => one.attending)
    const pages = await idsByPage({ status: 'attending' })
    expect(sizesOf(pages)).toEqual([200, 403])
    expect(pages.flat()).toEqual(idsOf(attending))
    expect((await idsByPage({ since: '2025-01-05T14:00:00.000Z' })).flat()).toEqual(idsOf(made))
  })

  it('ends after a full page when it is the last', async () => {
    expect(sizesOf(await idsByPage({}, { limit: 4, before: '505' }))).toEqual([4, 500])
  })

  it('reads a page with one statement, of which one row comes back', async () => {
    const read = vi.spyOn(openedDatabase(), 'read')
    const pages = await idsByPage({})
    expect(read).toHaveBeenCalledTimes(pages.length)
    for (const { value } of read.mock.results) expect((await value).rows).toHaveLength(1)
    read.mockRestore()
  })

  it('returns one empty page when there is nothing', async () => {
    expect(await idsByPage({ since: '2025-01-05T14:00:00.001Z' })).toEqual([[]])
  })

  it('neither repeats nor skips anything when responses come and go meanwhile', async () => {
    const seen: number[] = []
    for await (const page of pagesFrom(await listRsvps({}, call), call)) {
      seen.push(...idsOf(responsesOf(page)))
      if (seen.length > 200) continue
      await createRsvp(testRsvp(), call)
      await deleteRsvp({ id: String(seen.at(-1)) }, call)
    }
    expect(seen).toEqual(idsOf(made))
  })
})
