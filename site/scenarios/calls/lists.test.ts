import { beforeAll, describe, expect, it } from 'vitest'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { ask, type Site, storedRsvps, testSite } from '#site/scenarios/fixtures.ts'
import { guardedSite, insertRsvps, signIn } from '#site/scenarios/guarded-fixtures.ts'

/** More than the server reads from the database at a time. */
const STORED = 250

describe(`${STORED} responses`, () => {
  const site = testSite()
  beforeAll(() => insertRsvps(site(), STORED))

  it('come whole, newest first', async () => {
    const { headers, body } = await ask(site(), 'GET /api/rsvps')
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'transfer-encoding': 'chunked' })
    expect(headers).not.toHaveProperty('link')
    const ids = JSON.parse(body).map(({ id }: StoredRsvp) => id)
    expect(ids).toEqual(Array.from({ length: STORED }, (_, index) => STORED - index))
  })

  it('come the same by the Link from page to page', async () => {
    const limit = 84
    const pages = await pagesOf(site(), `/api/rsvps?limit=${limit}`)
    expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true)
    expect(pages).toHaveLength(Math.ceil(STORED / limit))
    expect(pages.flat()).toEqual(await storedRsvps(site()))
  })
})

describe('the list of a guarded site', () => {
  const site = guardedSite()

  it('comes to visitors in pages of at most 200, and whole to an administrator', async () => {
    insertRsvps(site(), 450)
    for (const query of ['', '?limit=1000']) {
      const pages = await pagesOf(site(), `/api/rsvps${query}`)
      expect(pages.map(({ length }) => length)).toEqual([200, 200, 50])
    }
    const headers = { cookie: await signIn(site()) }
    expect(JSON.parse((await ask(site(), 'GET /api/rsvps', { headers })).body)).toHaveLength(450)
  })

  it('can be searched and taken along only by an administrator', async () => {
    const searches = ['?q=ana', '?role=1', '?suspicious=true', '?standing=true', '?same=1', '?deleted=true']
    const asked = [...searches, '/download']
    for (const what of asked) expect([what, (await ask(site(), `GET /api/rsvps${what}`)).status]).toEqual([what, 401])
  })
})

async function pagesOf(site: Site, first: string): Promise<StoredRsvp[][]> {
  const pages: StoredRsvp[][] = []
  for (let next: string | undefined = first; next !== undefined; ) {
    const { headers, body }: Awaited<ReturnType<typeof ask>> = await ask(site, `GET ${next}`)
    pages.push(JSON.parse(body))
    expect(headers['content-length']).toBe(String(Buffer.byteLength(body)))
    next = /^<([^>]+)>; rel="next"$/.exec(String(headers.link))?.[1]
  }
  return pages
}
