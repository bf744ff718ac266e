import { beforeAll, describe, expect, it } from 'vitest'
import type { StoredRsvp } from '#db/values/rsvp.ts'
import type { CallDescription } from '#site/call-description.ts'
import { calls } from '#site/calls.ts'
import {
  ask,
  expectProblem,
  expectUnharmed,
  READING_CALLS,
  type Site,
  storedRsvps,
  testSite,
} from '#site/scenarios/fixtures.ts'
import { administeredSite, asVisitor, inSiteDatabase, insertRsvps } from '#site/scenarios/guarded-fixtures.ts'
import { testEvent, testRsvp } from '#testing/database-fixtures.ts'

describe('every call', () => {
  const site = testSite()

  it('stores a response, lists, downloads and deletes it', async () => {
    const whole = {
      phone: '+1 555 0100',
      message: 'Two lines\nof text',
      addToCalendar: true,
      calendarType: 'ical',
      familyMembers: [
        { name: 'Joel Cole', age: 'child' },
        { name: 'Dina Cole', attending: false },
      ],
    }
    const posted = await ask(site(), 'POST /api/rsvp', { json: testRsvp({ ...whole, volunteerRoles: [2, 1] }) })
    expect(posted).toMatchObject({
      status: 201,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    })
    const { id } = JSON.parse(posted.body)
    const stored = {
      ...testRsvp(whole),
      id,
      deletedAt: null,
      changedAt: null,
      suspicion: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      familyMembers: [
        { name: 'Joel Cole', age: 'child', attending: true },
        { name: 'Dina Cole', age: null, attending: false },
      ],
      volunteerSignups: [{ role: { id: 1, name: 'Greeter' } }, { role: { id: 2, name: 'Usher' } }],
      serviceDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      mergedInto: null,
      ...{ standing: false, firstVisit: false, remind: false },
    }
    expect(await jsonOf(site(), 'GET /api/rsvps')).toEqual([stored])
    const { body } = await ask(site(), 'GET /api/rsvps/download')
    expect(body).toContain('Joel Cole (child); Dina Cole (not attending)')
    expect((await ask(site(), 'GET /share')).body).toContain('Ana Cole')
    expect(await ask(site(), `DELETE /api/rsvps/${id}`)).toMatchObject({ status: 204, body: '' })
    expectProblem(await ask(site(), `DELETE /api/rsvps/${id}`), 404)
    expect(await jsonOf(site(), 'GET /api/rsvps')).toEqual([])
  })

  it('says that it is healthy', async () => {
    expect(await jsonOf(site(), 'GET /api/health')).toEqual({ status: 'ok' })
  })

  it('is the same for HEAD, without a body', async () => {
    for (const path of [...READING_CALLS, '/', '/share', '/admin']) {
      const [get, head] = [await ask(site(), `GET ${path}`), await ask(site(), `HEAD ${path}`)]
      expect([path, head]).toMatchObject([path, { status: 200, body: '' }])
      for (const name of ['content-type', 'cache-control', 'content-disposition'])
        expect([path, head.headers[name]]).toEqual([path, get.headers[name]])
    }
  })

  it('writes into the audit who took all responses along', async () => {
    for (const path of ['/admin', '/api/rsvps', '/api/rsvps/download', '/admin/sheet?week=all'])
      expect((await ask(site(), `GET ${path}`)).status).toBe(200)
    const entries = inSiteDatabase(site(), (database) =>
      database.prepare("SELECT actor, action FROM audit_entries WHERE action LIKE 'responses %' ORDER BY id").all(),
    )
    expect(entries.slice(-2)).toEqual([
      { actor: 'open mode', action: 'responses exported' },
      { actor: 'open mode', action: 'responses printed' },
    ])
  })
})

describe('the revision of the event', () => {
  const site = testSite()
  const tag = async () => String((await ask(site(), 'GET /api/event')).headers.etag)
  const read = async (path: string) => JSON.parse((await ask(site(), `GET ${path}`)).body)
  const change = (ifMatch: string, json: unknown) =>
    ask(site(), 'POST /api/event', { json, headers: { 'if-match': ifMatch } })

  it('comes with the event and with each change of it, and guards what others changed', async () => {
    const first = await ask(site(), 'POST /api/event', { json: testEvent(), headers: { 'if-none-match': '*' } })
    const seen = String(first.headers.etag)
    expect(seen).toMatch(/^"\d+"$/)
    for (const method of ['GET', 'HEAD']) expect((await ask(site(), `${method} /api/event`)).headers.etag).toBe(seen)
    const second = await change(seen, { time: '9 AM' })
    expect([second.status, JSON.parse(second.body)]).toEqual([200, testEvent({ time: '9 AM' })])
    expectProblem(await change(seen, { location: 'By the lake' }), 412)
    expect((await change(String(second.headers.etag), { location: 'By the lake' })).status).toBe(200)
    expect(await read('/api/event')).toEqual(testEvent({ time: '9 AM', location: 'By the lake' }))
  })

  it.each([
    ['as nginx hands it on', (seen: string) => `W/${seen}`, 200],
    ['as Caddy hands it on', (seen: string) => seen.replace(/"$/, '-gzip"'), 200],
    ['as any', () => '*', 200],
    ['as a wrong one', (seen: string) => seen.replace('"', '"1'), 412],
    ['as nothing', () => '', 412],
  ])('is named %s', async (_, written, status) => {
    expect((await change(written(await tag()), { time: '8 AM' })).status).toBe(status)
  })
})

describe('the list of a guarded site', () => {
  const site = administeredSite()
  /** More than the server reads from the database at a time. */
  const STORED = 450
  beforeAll(() => insertRsvps(site(), STORED))

  it('comes to an administrator whole, newest first, and the same by the Link from page to page', async () => {
    const { headers, body } = await ask(site(), 'GET /api/rsvps')
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'transfer-encoding': 'chunked' })
    expect(headers).not.toHaveProperty('link')
    const all = JSON.parse(body)
    expect(all.map(({ id }: StoredRsvp) => id)).toEqual(Array.from({ length: STORED }, (_, index) => STORED - index))
    const pages = await pagesOf(site(), '/api/rsvps?limit=84')
    expect(pages.map(({ length }) => length)).toEqual([84, 84, 84, 84, 84, 30])
    expect(pages.flat()).toEqual(all)
  })

  it.each(['', '?limit=1000'])('comes to visitors in pages of at most 200, also for %j', async (query) => {
    const pages = await pagesOf(asVisitor(site()), `/api/rsvps${query}`)
    expect(pages.map(({ length }) => length)).toEqual([200, 200, 50])
  })

  it('can be searched and taken along only by an administrator', async () => {
    const searches = ['?q=ana', '?role=1', '?suspicious=true', '?standing=true', '?same=1', '?deleted=true']
    const asked = [...searches, '/download']
    for (const what of asked)
      expect([what, (await ask(asVisitor(site()), `GET /api/rsvps${what}`)).status]).toEqual([what, 401])
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

async function jsonOf(site: Site, call: string) {
  const { status, headers, body } = await ask(site, call)
  expect({ status, type: headers['content-type'], cache: headers['cache-control'] }).toEqual({
    status: 200,
    type: 'application/json',
    cache: 'no-store',
  })
  return JSON.parse(body)
}

const JSON_TYPE = 'application/json'
const written = Object.entries<CallDescription>(calls)
  .filter(([name, { input }]) => input !== undefined && !name.startsWith('GET '))
  .map(([name]) => name.replaceAll(/\[\w+\]/g, '1'))
const nested = (open: string, close: string) => `${open.repeat(3000)}null${close.repeat(3000)}`

describe('whatever a call is sent', () => {
  const site = administeredSite()

  // One reader of bodies is behind every call; what fits none of them is sent to all in access/roles.test.ts.
  it.each<[number, string, string | Buffer, string]>([
    [400, 'half an object', '{"name":', JSON_TYPE],
    [400, 'an object and more', '{}{}', JSON_TYPE],
    [400, 'a number that is none', '{"name":NaN}', JSON_TYPE],
    [400, 'a text', '"__proto__"', JSON_TYPE],
    [400, 'null', 'null', JSON_TYPE],
    [400, 'lists 3,000 deep', nested('[', ']'), JSON_TYPE],
    [400, 'objects 3,000 deep', nested('{"__proto__":', '}'), JSON_TYPE],
    [400, 'half characters', '{"name":"\\ud83d"}', JSON_TYPE],
    [400, 'what is no UTF-8', Buffer.from('{"name":"Zo\xeb"}', 'latin1'), JSON_TYPE],
    [413, '70 kB', JSON.stringify({ name: 'x'.repeat(70_000) }), JSON_TYPE],
    [415, 'plain text', '{}', 'text/plain'],
    [415, 'what begins like JSON', '{}', 'application/jsonp'],
    [400, 'no type at all', '{}', ''],
  ])('is a %i in a sentence for %s', async (status, _what, body, type) => {
    expectProblem(await ask(site(), 'POST /api/volunteer-roles', { body, headers: { 'content-type': type } }), status)
  })

  it('is no error of the server, whichever call it is', async () => {
    const odd = '"__proto__":{"role":"owner"},"name":{"length":1e999},"email":{"toString":1},"id":1e999,"limit":1.5'
    const sent = { body: `{${odd},"name":["b"]}`, headers: { 'content-type': JSON_TYPE } }
    // Without a mail server the test of it is a 503, whatever it is sent.
    for (const name of written.filter((name) => name !== 'POST /api/mail/test'))
      expect([name, (await ask(site(), name, sent)).status]).toEqual([name, expect.toSatisfy((status) => status < 500)])
    await expectUnharmed(site(), 0, site().headers)
  })

  it('sets nothing of an RSVP that only headers may set', async () => {
    const json = testRsvp({ idempotencyKey: 'sample 1', formAge: 1, flooded: true })
    expect((await ask(asVisitor(site()), 'POST /api/rsvp', { json })).status).toBe(201)
    expect(await storedRsvps(site())).toMatchObject([{ suspicion: null }])
  })
})
