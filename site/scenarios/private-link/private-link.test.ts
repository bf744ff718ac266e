import { beforeEach, describe, expect, it } from 'vitest'
import { hashOfLinkSecret } from '#db/rsvp/link-secret.ts'
import { ask, expectProblem, storedRsvps } from '#site/scenarios/fixtures.ts'
import {
  administeredSite,
  asVisitor,
  guardedSite,
  inSiteDatabase,
  rowsByTable,
} from '#site/scenarios/guarded-fixtures.ts'
import { testRsvp } from '#testing/database-fixtures.ts'
import { cookieFor, sendLinked } from './fixtures.ts'

const site = administeredSite({ LOG_LEVEL: 'trace' })
const visitor = () => asVisitor(site())
const storedAs = async (name: string) => (await storedRsvps(site())).find((each) => each.name === name)
beforeEach(() => inSiteDatabase(site(), (database) => database.exec('DELETE FROM allowances')))

describe('a private link', () => {
  it('comes with the RSVP, and opens at once into a cookie for its page and its calls alone', async () => {
    const { path, key } = await sendLinked(visitor())
    const kept = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
    const slashed = await ask(visitor(), `GET ${path.replace('?', '/?')}`)
    expect(slashed).toMatchObject({ status: 301, headers: { location: `/answer?key=${key}`, ...kept } })
    for (const method of ['GET', 'HEAD']) {
      const opened = await ask(visitor(), `${method} ${path}`)
      expect(opened).toMatchObject({ status: 303, headers: { location: '/answer', ...kept } })
      expect(opened.headers['set-cookie']).toEqual(
        ['/answer', '/api/answer'].map((own) => `rsvp-link=${key}; Max-Age=43200; Path=${own}; HttpOnly; SameSite=Lax`),
      )
      expect(opened.body).not.toContain(key)
    }
  })

  it('shows its RSVP by the cookie or by the header, which counts first, and no one else’s', async () => {
    const [own, other] = [await sendLinked(visitor()), await sendLinked(visitor(), { name: 'Bea Cole' })]
    const opened = await ask(visitor(), `GET ${own.path}`)
    const cookie = cookieFor('/api/answer', opened)
    const byCookie = await ask(visitor(), 'GET /api/answer', { headers: { cookie } })
    expect(byCookie).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    expect(JSON.parse(byCookie.body)).toMatchObject({ name: 'Ana Cole', changedAt: null, withdrawnAt: null })
    expect(JSON.parse(byCookie.body)).not.toHaveProperty('id')
    const byHeader = await ask(visitor(), 'GET /api/answer', { headers: { cookie, 'link-key': other.key } })
    expect(JSON.parse(byHeader.body)).toMatchObject({ name: 'Bea Cole' })
    const page = await ask(visitor(), 'GET /answer', { headers: { cookie: cookieFor('/answer', opened) } })
    expect(page).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store', 'referrer-policy': 'same-origin' },
    })
    expect(page.body).toContain('Ana Cole')
    expect(page.body).not.toContain('Bea Cole')
  })

  it.each([false, true])('changes nothing by being opened, read or asked for in advance: %s', async (standing) => {
    const { path, key } = await sendLinked(visitor(), { standing })
    const before = rowsByTable(site())
    const known = { 'link-key': key, cookie: `rsvp-link=${key}` }
    const day = JSON.parse((await ask(visitor(), 'GET /api/answer', { headers: known })).body).serviceDate
    const asking = { purpose: 'prefetch', 'sec-purpose': 'prefetch', 'user-agent': 'WhatsApp/2.23' }
    for (const method of ['GET', 'HEAD'])
      for (const address of [path, '/answer', `/answer?week=${day}`, '/api/answer', `/api/answer?week=${day}`])
        for (const headers of [known, { ...known, ...asking }])
          expect((await ask(visitor(), `${method} ${address}`, { headers })).status).toBeLessThan(400)
    expect(rowsByTable(site())).toEqual(before)
  })

  it.each<[string, object, string?, object?]>([
    ['none', {}],
    ['a guess in the cookie', { cookie: 'rsvp-link=0123456789012345678901' }],
    ['the cookie of https', { cookie: '__Secure-rsvp-link=KEY' }],
    ['the key in the address', {}, '?key=KEY&linkSecret=KEY'],
    ['the key in the body', {}, '', { linkSecret: 'KEY' }],
  ])('with %s gets the same 404, whatever is done with it', async (_, known, query = '', more = {}) => {
    const { key } = await sendLinked(visitor(), { name: 'Not Found' })
    const withKey = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll('KEY', key))
    const bodies = new Set<string>()
    for (const call of ['GET', 'PATCH', 'DELETE']) {
      const json = call === 'PATCH' ? withKey({ name: 'Taken over', ...more }) : undefined
      const reply = await ask(visitor(), `${call} /api/answer${withKey(query)}`, { json, headers: withKey(known) })
      expectProblem(reply, 404)
      bodies.add(reply.body)
    }
    expect(bodies.size).toBe(1)
    expect((await ask(visitor(), 'GET /answer', { headers: withKey(known) })).status).toBe(404)
    expect(await storedAs('Not Found')).toBeDefined()
  })

  it('works with what programs that pass it on leave behind it', async () => {
    const { key } = await sendLinked(visitor())
    for (const left of ['.', ')', '>', '%20', ',', '…', '%E2%80%8B', '&fbclid=x', '?utm_source=x', '/', '%0A%3E']) {
      const opened = await ask(visitor(), `GET /answer?key=${key}${left === '…' ? encodeURI(left) : left}`)
      expect([left, opened]).toMatchObject([left, { status: 303, headers: { location: '/answer' } }])
      expect(cookieFor('/answer', opened)).toBe(`rsvp-link=${key}`)
    }
  })

  it('that is incomplete says so, keeps what the browser has opened before, and leads to no other site', async () => {
    const { key: known } = await sendLinked(visitor())
    const headers = { cookie: `rsvp-link=${known}` }
    for (const key of ['short', '', known.slice(1), '//evil.example', '\r\nset-cookie: a=b', 'a; Domain=x']) {
      const opened = await ask(visitor(), `GET /answer?key=${encodeURIComponent(key)}`, { headers })
      expect(opened).toMatchObject({ status: 303, headers: { location: '/answer?incomplete' } })
      expect(opened.headers).not.toHaveProperty('set-cookie')
    }
    const told = await ask(visitor(), 'GET /answer?incomplete', { headers })
    expect(told).toMatchObject({
      status: 404,
      body: expect.stringContaining('This link is incomplete. Open the whole'),
    })
    expect(told.body).not.toContain('Ana Cole')
    expect((await ask(visitor(), 'GET /answer', { headers })).body).toContain('Ana Cole')
  })

  it('is kept in no page that others get, and stands in no log', async () => {
    const { path, key } = await sendLinked(visitor())
    const cookie = cookieFor('/answer', await ask(visitor(), `GET ${path}`))
    for (const address of ['/', '/share', '/privacy', '/api/rsvps', '/api/event']) {
      await ask(visitor(), `GET ${address}`, { headers: { cookie } })
      expect((await ask(visitor(), `GET ${address}`)).body).not.toContain(key)
    }
    expect(site().output()).not.toContain(key)
  })

  it('never writes over the RSVP of another link that was opened in the browser, nor withdraws it', async () => {
    const first = await sendLinked(visitor(), { name: 'First Link' })
    const second = await sendLinked(visitor(), { name: 'Second Link' })
    // The cookie of the link that was opened last is sent with the form of the first one.
    const headers = { cookie: cookieFor('/api/answer', await ask(visitor(), `GET ${second.path}`)) }
    const before = rowsByTable(site())
    const typed = { name: 'First Link', email: 'ana@cole.example', attending: 'false', message: 'Typed' }
    for (const link of [hashOfLinkSecret(first.key), first.key, '', undefined])
      for (const action of [undefined, 'withdraw', 'restore', 'end', 'calendar', 'every-week', 'add-family-member']) {
        const form = { ...typed, ...(link !== undefined && { link }), ...(action && { action }) }
        const reply = await ask(visitor(), 'POST /api/answer', { form, headers })
        expect(reply).toMatchObject({ status: 409, headers: { 'cache-control': 'no-store' } })
        expect(reply.body).toContain('Another private link was opened in this browser meanwhile')
        expect(reply.body).not.toMatch(/Typed|Second Link|<form/)
      }
    expect(rowsByTable(site())).toEqual(before)
  })
})

describe('a private link behind a public address', () => {
  const published = guardedSite({ PUBLIC_URL: 'https://rsvp.example.org' })

  it('has that address, and its cookie travels over https alone', async () => {
    const { link } = JSON.parse((await ask(published(), 'POST /api/rsvp', { json: testRsvp() })).body)
    expect(link).toMatch(/^https:\/\/rsvp\.example\.org\/answer\?key=[\w-]{22}$/)
    const opened = await ask(published(), `GET /answer${new URL(link).search}`)
    for (const cookie of opened.headers['set-cookie'] ?? []) expect(cookie).toMatch(/^__Secure-rsvp-link=.+; Secure$/)
  })
})
