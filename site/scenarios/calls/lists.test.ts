import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { restoreCell } from '#db/values/csv.ts'
import { ask, type Site, storedRsvps, testSite } from '#site/scenarios/fixtures.ts'
import { guardedSite, insertRsvps, signIn } from '#site/scenarios/guarded-fixtures.ts'

/** More than the server reads from the database at a time. */
const STORED = 250
const NAMES = [
  'Ana "the Great" Cole',
  '=HYPERLINK("x")',
  '  +1 Person',
  "'-1 Person",
  'Cole, Ana; Joel',
  '@sum',
  '김 하늘',
]

describe(`${STORED} responses`, () => {
  const site = testSite()
  beforeAll(async () => {
    insertRsvps(site(), STORED - 21)
    for (let number = 0; number < 21; number += 1) {
      const json = testRsvp({
        name: `${NAMES[number % NAMES.length]} ${number}`,
        message: number % 3 === 0 ? `Line one\nline "two", ${number}\r\nline three` : '',
        attending: number % 2 === 0,
        familyMembers: number % 5 === 0 ? [{ name: `Joel ${number}`, age: 'child' }] : [],
        volunteerRoles: number % 7 === 0 ? [2, 3] : [],
      })
      expect((await ask(site(), 'POST /api/rsvp', { json })).status).toBe(201)
    }
  })

  it('come whole, newest first', async () => {
    const { headers, body } = await ask(site(), 'GET /api/rsvps')
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'transfer-encoding': 'chunked' })
    expect(headers).not.toHaveProperty('link')
    const ids = JSON.parse(body).map(({ id }: StoredRsvp) => id)
    expect(ids).toEqual(Array.from({ length: STORED }, (_, index) => STORED - index))
  })

  it.each([STORED - 1, 84])('come the same by the Link from page to page of %i', async (limit) => {
    const pages = await pagesOf(site(), `/api/rsvps?limit=${limit}`)
    expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true)
    expect(pages).toHaveLength(Math.ceil(STORED / limit))
    expect(pages.flat()).toEqual(await storedRsvps(site()))
  })

  it('download as CSV that another reader reads back', async () => {
    const { headers, body } = await ask(site(), 'GET /api/rsvps/download')
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(body.startsWith('\ufeffId,Name,')).toBe(true)
    const [columns, ...rows]: string[][] = parse(body, { bom: true, recordDelimiter: '\r\n' })
    expect(columns?.join()).toBe(
      'Id,Name,Email,Phone,Message,Status,Family Members,Volunteer Roles,Calendar,Date,Service,Changed,Counted',
    )
    expect(rows.flat().filter((cell) => /^['\s]*[=+\-@|%]/.test(cell) && !cell.startsWith("'"))).toEqual([])
    // Nearly all are of one person, so the last column differs.
    expect(rows.map((row) => row.slice(0, -1).map(restoreCell))).toEqual((await storedRsvps(site())).map(cellsOf))
  })

  it.each([
    [{ 'accept-language': 'de-AT,en;q=0.5' }, '', ';'],
    [{ 'accept-language': 'de', cookie: 'language=en' }, '', ','],
    [{ 'accept-language': 'de', cookie: 'language=en' }, '?language=fr', ';'],
  ])('downloads for %j and %j with %j between the cells', async (headers, query, sign) => {
    for (const call of ['rsvps', 'audit'] as const) {
      const { headers: sent, body } = await ask(site(), `GET /api/${call}/download${query}`, { headers })
      expect(body.startsWith(`\ufeffId${sign}`)).toBe(true)
      expect(sent['content-disposition']).not.toContain('selection')
    }
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
    const asked = [...searches, '/download', '/print']
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

function cellsOf(stored: StoredRsvp): string[] {
  const family = stored.familyMembers.map((member) => `${member.name} (${member.age})`).join('; ')
  const roles = stored.volunteerSignups.map(({ role }) => role.name).join('; ')
  const person = [String(stored.id), stored.name, stored.email, stored.phone ?? '', stored.message ?? '']
  const status = stored.attending ? 'Attending' : 'Not Attending'
  return [...person, status, family, roles, '', stored.createdAt, stored.serviceDate ?? '', stored.changedAt ?? '']
}
