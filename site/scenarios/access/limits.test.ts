import { beforeEach, describe, expect, it } from 'vitest'
import { ask, expectProblem, type Site, testSite } from '#site/scenarios/fixtures.ts'
import { guardedSite, inSiteDatabase, rowsByTable } from '#site/scenarios/guarded-fixtures.ts'
import { testRsvp } from '#testing/database-fixtures.ts'

const RSVP_POST_LIMIT = '2/1'

const post = (site: Site, headers: Record<string, string> = {}) =>
  ask(site, 'POST /api/rsvp', { json: testRsvp(), headers })

/** Sends so many RSVPs at once; returns how many were stored. */
async function storedOf(count: number, site: Site): Promise<number> {
  const replies = await Promise.all(Array.from({ length: count }, () => post(site)))
  return replies.filter(({ status }) => status === 201).length
}

/** Sends an RSVP from each of these addresses in turn, as a proxy reports them; returns the status of each reply. */
async function sent(site: Site, addresses: string[]): Promise<number[]> {
  const statuses: number[] = []
  for (const address of addresses) statuses.push((await post(site, { 'x-forwarded-for': address })).status)
  return statuses
}

const namesOf = (site: Site) =>
  rowsByTable(site)
    .allowances?.map((row) => (row as { name: string }).name)
    .toSorted()
const forgetLimits = (site: Site) => inSiteDatabase(site, (database) => database.exec('DELETE FROM allowances'))

describe('an open site', () => {
  const open = testSite({ TRUSTED_PROXIES: '127.0.0.1', RSVP_POST_LIMIT: '5/1' })

  it('has no limit, and nothing comes to it through a proxy', async () => {
    expect(await storedOf(20, open())).toBe(20)
    expect(namesOf(open())?.filter((name) => name.includes('rsvp'))).toEqual([])
    expectProblem(await post(open(), { 'x-forwarded-for': '127.0.0.1' }), 421)
    expect(rowsByTable(open()).rsvps).toHaveLength(20)
  })
})

describe('behind a trusted proxy', () => {
  const site = guardedSite({ TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8', RSVP_POST_LIMIT })
  beforeEach(() => forgetLimits(site()))

  // Which addresses are of one network is decided by the guard, whose test has them all.
  it.each<[string, string[], number[]]>([
    ['a second trusted proxy', ['198.51.100.1, 10.1.2.3', '198.51.100.1, 10.9.9.9', '198.51.100.1'], [201, 201, 429]],
    ['a client that invents more', ['1.1.1.1, 198.51.100.1', '2.2.2.2, 198.51.100.1', '198.51.100.1'], [201, 201, 429]],
    ['a client that sends no valid address', ['x', '', "'; DROP TABLE rsvps; --"], [201, 201, 429]],
  ])('RSVPs from %s count together or separately', async (_, addresses, statuses) => {
    expect(await sent(site(), addresses)).toEqual(statuses)
  })
})

describe('where another proxy is trusted', () => {
  const site = guardedSite({ TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8::/32', RSVP_POST_LIMIT })

  it('a client cannot choose its address', async () => {
    expect(await sent(site(), ['198.51.100.1', '198.51.100.2', '198.51.100.3'])).toEqual([201, 201, 429])
    expect(namesOf(site())).toEqual(['rsvp 127.0.0.0/24', 'rsvp 127.0.0.1', 'rsvp from everywhere'])
  })
})

describe('what browsers tell the log', () => {
  const site = guardedSite()

  it('is a line for each failure in a script of this site, and holds nothing that someone typed', async () => {
    const [script = ''] = /assets\/[\w.-]+\.js/.exec((await ask(site(), 'GET /share')).body) ?? []
    const failure = { part: 'RsvpForm', error: 'TypeError', at: `${script}:1:2345` }
    const tell = (json: object) => ask(site(), 'POST /api/failures', { json })
    const lines = () =>
      site()
        .output()
        .match(/.*part of a page failed.*/g) ?? []
    for (const at of ['assets/Ana.Cole-0301234567.js', `https://evil.example/${script}`, `${script}:0301234567:1`])
      expectProblem(await tell({ ...failure, at }), 400)
    for (const json of [{ ...failure, message: 'Ana Cole' }, {}]) expectProblem(await tell(json), 400)
    expect(lines()).toEqual([])
    for (const json of [failure, failure, { at: script, error: 'AnaColeError', part: 'AnaCole' }])
      expect((await tell(json)).status).toBe(204)
    expect(lines().map((line) => JSON.parse(line))).toMatchObject([failure, { error: 'Error', at: script }])
    expect(site().output()).not.toMatch(/Ana|Cole|03012/)
    for (let column = 0; column < 60; column++) await tell({ ...failure, at: `${script}:1:${column}` })
    expect(lines()).toHaveLength(50)
  })
})
