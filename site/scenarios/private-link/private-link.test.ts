import { beforeEach, describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { hashOfLinkSecret } from '#db/rsvp/link-secret.ts'
import { ask, expectProblem, expectUnharmed, storedRsvps } from '#site/scenarios/fixtures.ts'
import { guardedSite, inSiteDatabase, rowsByTable, signIn } from '#site/scenarios/guarded-fixtures.ts'
import { asVisitor, describeInBothModes } from '#site/scenarios/guarded-fixtures.ts'
import { cookieFor, sendLinked } from './fixtures.ts'

const asks: Record<string, string>[] = [
  {},
  { purpose: 'prefetch', 'sec-purpose': 'prefetch' },
  { 'user-agent': 'WhatsApp/2.23' },
]
const form = { 'content-type': 'application/x-www-form-urlencoded' }

describeInBothModes(
  'a private link',
  (site) => {
    const visitor = () => asVisitor(site())
    beforeEach(() => inSiteDatabase(site(), (database) => database.exec('DELETE FROM allowances')))

    it('comes with the RSVP, and opens at once into a cookie for its page and its calls alone', async () => {
      const { path, key } = await sendLinked(visitor())
      const kept = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
      const slashed = await ask(visitor(), `GET ${path.replace('?', '/?')}`)
      expect(slashed).toMatchObject({ status: 301, headers: { location: `/answer?key=${key}`, ...kept } })
      for (const method of ['GET', 'HEAD']) {
        const opened = await ask(visitor(), `${method} ${path}`)
        expect(opened).toMatchObject({
          status: 303,
          headers: { location: '/answer', ...kept },
        })
        expect(opened.headers['set-cookie']).toEqual(
          ['/answer', '/api/answer'].map(
            (own) => `rsvp-link=${key}; Max-Age=43200; Path=${own}; HttpOnly; SameSite=Lax`,
          ),
        )
        expect(opened.body).not.toContain(key)
      }
    })

    it('shows its RSVP by the cookie or by the header, which counts first, and no one else’s', async () => {
      const [own, other] = [await sendLinked(visitor()), await sendLinked(visitor(), { name: 'Bea Cole' })]
      const cookie = cookieFor('/api/answer', await ask(visitor(), `GET ${own.path}`))
      const byCookie = await ask(visitor(), 'GET /api/answer', { headers: { cookie } })
      expect(byCookie).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store', etag: '"0"' } })
      expect(JSON.parse(byCookie.body)).toMatchObject({ name: 'Ana Cole', changedAt: null, withdrawnAt: null })
      expect(JSON.parse(byCookie.body)).not.toHaveProperty('id')
      const byHeader = await ask(visitor(), 'GET /api/answer', { headers: { cookie, 'link-key': other.key } })
      expect(JSON.parse(byHeader.body)).toMatchObject({ name: 'Bea Cole' })
      const page = await ask(visitor(), 'GET /answer', {
        headers: { cookie: cookieFor('/answer', await ask(visitor(), `GET ${own.path}`)) },
      })
      expect(page).toMatchObject({
        status: 200,
        headers: { 'cache-control': 'no-store', 'referrer-policy': 'same-origin' },
      })
      expect(page.body).toContain('Ana Cole')
      expect(page.body).not.toContain('Bea Cole')
    })

    it('changes nothing by being opened, read or asked for in advance', async () => {
      const { path, key } = await sendLinked(visitor())
      const before = rowsByTable(site())
      const headers = { 'link-key': key, cookie: `rsvp-link=${key}` }
      for (const call of [
        `GET ${path}`,
        `HEAD ${path}`,
        'GET /answer',
        'HEAD /answer',
        'GET /api/answer',
        'HEAD /api/answer',
      ])
        for (const extra of asks)
          expect((await ask(visitor(), call, { headers: { ...headers, ...extra } })).status).toBeLessThan(400)
      expect(rowsByTable(site())).toEqual(before)
    })

    it('changes and withdraws its RSVP, and takes that back', async () => {
      const { key } = await sendLinked(visitor(), { name: 'Own Person' })
      const headers = { 'link-key': key }
      const stored = async () => (await storedRsvps(site())).find(({ name }) => name === 'Own Person')
      const changed = await ask(visitor(), 'PATCH /api/answer', { json: { attending: false, id: 1 }, headers })
      expect(changed).toMatchObject({ status: 200, headers: { etag: expect.stringMatching(/^"\d{13}"$/) } })
      expect(await stored()).toMatchObject({
        attending: false,
        email: 'ana@cole.example',
        changedAt: expect.any(String),
      })
      expect(await ask(visitor(), 'DELETE /api/answer', { headers })).toMatchObject({ status: 204, body: '' })
      expect(await stored()).toBeUndefined()
      expectProblem(await ask(visitor(), 'PATCH /api/answer', { json: { attending: true }, headers }), 409)
      expect((await ask(visitor(), 'POST /api/answer/restore', { headers })).status).toBe(204)
      expect(await stored()).toMatchObject({ attending: false })
    })

    it('tells the second of two devices that the first one has changed it', async () => {
      const { key } = await sendLinked(visitor(), { name: 'Two Devices' })
      const headers = { 'link-key': key, 'if-match': '"0"' }
      const change = (message: string) => ask(visitor(), 'PATCH /api/answer', { json: { message }, headers })
      const first = await change('First')
      expect(first.status).toBe(200)
      expectProblem(await change('Second'), 412)
      expect((await change('First')).status).toBe(200)
      expect(await storedRsvps(site())).toContainEqual(
        expect.objectContaining({ name: 'Two Devices', message: 'First' }),
      )
    })

    it.each([
      ['none', {}],
      ['an empty one', { 'link-key': '' }],
      ['one that is too short', { 'link-key': 'abc' }],
      ['a guess', { 'link-key': '0123456789012345678901' }],
      ['a guess in the cookie', { cookie: 'rsvp-link=0123456789012345678901' }],
      ['the cookie of https', { cookie: '__Secure-rsvp-link=KEY' }],
      ['the cookie under another name', { cookie: 'rsvp-session=KEY' }],
    ])('with %s gets the same 404, whatever is done with it', async (_, headers) => {
      const { key } = await sendLinked(visitor(), { name: 'Not Found' })
      const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('KEY', key)]))
      const bodies = new Set<string>()
      for (const call of [
        'GET /api/answer',
        'PATCH /api/answer',
        'DELETE /api/answer',
        'POST /api/answer',
        'POST /api/answer/restore',
      ]) {
        const json = call.startsWith('PATCH') || call === 'POST /api/answer' ? { name: 'Taken over' } : undefined
        const reply = await ask(visitor(), call, { json, headers: sent })
        expectProblem(reply, 404)
        bodies.add(reply.body)
      }
      expect(bodies.size).toBe(1)
      expect((await ask(visitor(), 'GET /answer', { headers: sent })).status).toBe(404)
      expect(await storedRsvps(site())).toContainEqual(expect.objectContaining({ name: 'Not Found' }))
    })

    it('cannot be put into the body or the address of a call', async () => {
      const { key } = await sendLinked(visitor(), { name: 'Not There' })
      for (const json of [
        { linkSecret: key, name: 'Taken over' },
        { onlyIfRevision: 'any', linkSecret: key },
      ])
        expectProblem(await ask(visitor(), `PATCH /api/answer?key=${key}&linkSecret=${key}`, { json }), 404)
      expectProblem(await ask(visitor(), `GET /api/answer?key=${key}&linkSecret=${key}`), 404)
    })

    it('that is cut ends what the browser had opened before, and leads to no other site', async () => {
      for (const key of [
        'short',
        '',
        '//evil.example',
        'https://evil.example',
        '%0d%0aset-cookie:%20a=b',
        'a; Domain=x',
      ]) {
        const opened = await ask(visitor(), `GET /answer?key=${encodeURIComponent(key)}`)
        expect(opened).toMatchObject({ status: 303, headers: { location: '/answer' } })
        for (const cookie of opened.headers['set-cookie'] ?? [])
          expect(cookie).toMatch(/^rsvp-link=; Max-Age=0; Path=(\/api)?\/answer; HttpOnly; SameSite=Lax$/)
      }
    })

    it.each(['null', '[]', '"x"', '{', ''])('takes no change that is %j', async (body) => {
      const { key } = await sendLinked(visitor())
      const headers = { 'content-type': 'application/json', 'link-key': key }
      expectProblem(await ask(visitor(), 'PATCH /api/answer', { body, headers }), 400)
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
  },
  { LOG_LEVEL: 'trace' },
)

describeInBothModes('the form of a private link without JavaScript', (site) => {
  const visitor = () => asVisitor(site())
  const stored = async (email: string) => (await storedRsvps(site())).find((each) => each.email === email)

  async function opened(email: string) {
    const { path, key } = await sendLinked(visitor(), { email })
    const cookie = cookieFor('/api/answer', await ask(visitor(), `GET ${path}`))
    const link = hashOfLinkSecret(key)
    const headers = { ...form, cookie }
    const post = (fields: Record<string, string>) =>
      ask(visitor(), 'POST /api/answer', { body: String(new URLSearchParams({ link, ...fields })), headers })
    return { post, typed: { name: 'Ana Cole', email, attending: 'true', revision: '0' } }
  }

  it('saves, withdraws and takes that back', async () => {
    const { post, typed } = await opened('saves@cole.example')
    const saved = await post({ ...typed, attending: 'false', message: 'Sorry' })
    expect(saved).toMatchObject({ status: 303, headers: { location: '/answer?saved#reply' } })
    expect(await stored(typed.email)).toMatchObject({ attending: false, message: 'Sorry' })
    expect(await post({ action: 'withdraw' })).toMatchObject({ status: 303, headers: { location: '/answer#reply' } })
    expect(await stored(typed.email)).toBeUndefined()
    expect(await post({ action: 'restore' })).toMatchObject({
      status: 303,
      headers: { location: '/answer?restored#reply' },
    })
    expect(await stored(typed.email)).toMatchObject({ message: 'Sorry' })
  })

  it('comes back with what is wrong, and shows a change from another device before it is replaced', async () => {
    const { post, typed } = await opened('twice@cole.example')
    expect(await post({ ...typed, name: '' })).toMatchObject({ status: 400, headers: { 'cache-control': 'no-store' } })
    expect((await post({ ...typed, message: 'First' })).status).toBe(303)
    expect(await post({ ...typed, message: 'Second' })).toMatchObject({
      status: 412,
      body: expect.stringContaining('was changed meanwhile'),
    })
    expect(await stored(typed.email)).toMatchObject({ message: 'First' })
  })
})

describeInBothModes('two private links in one browser', (site) => {
  const visitor = () => asVisitor(site())

  it('never write the form of one over the RSVP of the other, nor withdraw it', async () => {
    const [first, second] = [
      await sendLinked(visitor(), { name: 'First Link' }),
      await sendLinked(visitor(), { name: 'Second Link' }),
    ]
    // The cookie of the link that was opened last is sent with the form of the first one. Both are at revision 0.
    const cookie = cookieFor('/api/answer', await ask(visitor(), `GET ${second.path}`))
    const before = rowsByTable(site())
    for (const link of [hashOfLinkSecret(first.key), first.key, '', undefined])
      for (const action of [undefined, 'withdraw', 'restore', 'add-family-member']) {
        const fields = {
          name: 'First Link',
          email: 'ana@cole.example',
          attending: 'false',
          message: 'Typed',
          revision: '0',
        }
        const body = String(
          new URLSearchParams({ ...fields, ...(link !== undefined && { link }), ...(action && { action }) }),
        )
        const reply = await ask(visitor(), 'POST /api/answer', { body, headers: { ...form, cookie } })
        expect(reply).toMatchObject({ status: 409, headers: { 'cache-control': 'no-store' } })
        expect(reply.body).toContain('Another private link was opened in this browser meanwhile')
        expect(reply.body).not.toMatch(/Typed|Second Link|<form/)
      }
    expect(rowsByTable(site())).toEqual(before)
  })
})

describe('behind a public address', () => {
  const site = guardedSite({ PUBLIC_URL: 'https://rsvp.example.org' })

  it('the link has that address, and its cookie travels over https alone', async () => {
    const headers = { 'idempotency-key': 'once' }
    const [one, other] = [
      await ask(site(), 'POST /api/rsvp', { json: testRsvp(), headers }),
      await ask(site(), 'POST /api/rsvp?astro', { json: testRsvp(), headers }),
    ]
    expect(JSON.parse(one.body).link).toMatch(/^https:\/\/rsvp\.example\.org\/answer\?key=[\w-]{22}$/)
    expect(other.body).toBe(one.body)
    const { search } = new URL(JSON.parse(one.body).link)
    const opened = await ask(site(), `GET /answer${search}`)
    for (const cookie of opened.headers['set-cookie'] ?? []) expect(cookie).toMatch(/^__Secure-rsvp-link=.+; Secure$/)
  })

  it('guesses are refused after twenty, and a link that works never is', async () => {
    const { key } = await sendLinked(site())
    const statuses: number[] = []
    for (let guess = 0; guess < 22; guess++)
      statuses.push((await ask(site(), 'GET /api/answer', { headers: { 'link-key': `guess-${guess}` } })).status)
    expect(statuses).toEqual([...Array(20).fill(404), 429, 429])
    expect((await ask(site(), 'GET /answer', { headers: { cookie: '__Secure-rsvp-link=x' } })).status).toBe(429)
    expect((await ask(site(), 'GET /api/answer', { headers: { 'link-key': key } })).status).toBe(200)
    await expectUnharmed(site(), 2, { cookie: await signIn(site()) })
  })
})
