import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { ask, expectProblem, type Reply, storedRsvps, testSite } from '#site/scenarios/fixtures.ts'
import { guardedSite, inSiteDatabase, signIn } from '#site/scenarios/guarded-fixtures.ts'
import { cookieFor } from '#site/scenarios/private-link/fixtures.ts'

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const thanks = 'Thank you for your response!'

describe('an Idempotency-Key', () => {
  const site = testSite()
  const post = (key: string, changes: Record<string, unknown> = {}) =>
    ask(site(), 'POST /api/rsvp', { json: testRsvp(changes), headers: { 'idempotency-key': key } })

  it('with another body is a 422, also when both come at once', async () => {
    const first = await post('one')
    expect(first.status).toBe(201)
    expectProblem(await post('one', { attending: false }), 422)
    expect(await post('one')).toMatchObject({ status: 201, body: first.body })
    const bodies = Array.from({ length: 6 }, (_, number) => ({ message: `Number ${number % 2}` }))
    const replies = await Promise.all(bodies.map((body) => post('two', body)))
    const [stored] = await storedRsvps(site())
    const expected = bodies.map(({ message }) => (message === stored?.message ? 201 : 422))
    expect(replies.map(({ status }) => status)).toEqual(expected)
  })

  it('of a response that was deleted since is a 409 that says so', async () => {
    const { id } = JSON.parse((await post('three')).body)
    expect((await ask(site(), `DELETE /api/rsvps/${id}`)).status).toBe(204)
    const again = await post('three')
    expectProblem(again, 409)
    expect(JSON.parse(again.body).detail).toMatch(/deleted since/)
  })

  it('cannot match the key of a form, nor reveal what a visitor typed there', async () => {
    const page = (await ask(site(), 'GET /share')).body
    const formKey = /name="formKey" value="([\w-]{36})"/.exec(page)?.[1] ?? ''
    const body = `attending=true&name=Ana+Cole&email=ana%40cole.example&formKey=${formKey}`
    expect((await ask(site(), 'POST /api/rsvp', { body, headers: form })).status).toBe(303)
    const before = (await storedRsvps(site())).length
    const [key = ''] = inSiteDatabase(site(), (database) =>
      database.prepare('SELECT key FROM rsvps ORDER BY id DESC LIMIT 1').all(),
    ).map((row) => String(row.key))
    const guesses = [
      `form-${createHash('sha256').update(body).digest('hex')}`,
      key.replace('digest ', ''),
      key.replace(' ', '%20'),
      `form${body}`.slice(0, 200),
    ]
    for (const [number, guess] of guesses.entries()) {
      expect((await post(guess)).status).toBe(201)
      expect(await storedRsvps(site())).toHaveLength(before + number + 1)
    }
  })
})

describe('the thank-you without JavaScript', () => {
  const site = testSite()
  let sent: string
  let location: string
  const press = () => ask(site(), 'POST /api/rsvp', { body: sent, headers: form })
  const see = async (address: string) => (await ask(site(), `GET ${address.split('#')[0]}`)) as Reply
  beforeAll(async () => {
    const formKey = /name="formKey" value="([\w-]{36})"/.exec((await see('/share')).body)?.[1] ?? ''
    sent = `attending=true&name=Ana+Cole&email=ana%40cole.example&formKey=${formKey}`
    location = String((await press()).headers.location)
  })

  it('is shown by the mark of a response alone, and kept by no cache', async () => {
    const page = await see(location)
    expect([page.status, page.body.includes(thanks), page.headers['cache-control']]).toEqual([200, true, 'no-store'])
    for (const address of ['/share?thanks', '/?thanks=1', `${location.split('#')[0]?.slice(0, -1)}~`]) {
      const plain = await see(address)
      expect([address, plain.status, plain.body.includes(thanks)]).toEqual([address, 200, false])
    }
  })

  it('is over once the response is deleted, and the next press says so on the page', async () => {
    const [{ id } = { id: 0 }] = await storedRsvps(site())
    await ask(site(), `DELETE /api/rsvps/${id}`)
    expect((await see(location)).body).not.toContain(thanks)
    const page = await press()
    expect([page.status, page.body.includes(thanks)]).toEqual([409, false])
    expect(page.body).toContain('This response was stored, and it has been deleted since.')
    expect(page.body).toContain('value="ana@cole.example"')
    expect(await storedRsvps(site())).toEqual([])
  })
})

describe('the private link of a form that was sent without JavaScript', () => {
  const site = guardedSite()

  const post = (name: string, page: string) => {
    const body = String(new URLSearchParams({ page, name, email: 'f@p.example', attending: 'true' }))
    return ask(site(), 'POST /api/rsvp', { body, headers: form })
  }

  it.each(['/share', '/'])(
    'is shown to be kept on %s, to the browser that sent it alone, and stands in no address or log',
    async (path) => {
      const [sent, later] = [await post('Form Person', path), await post('Other Person', path)]
      const address = String(sent.headers.location).split('#')[0]
      const cookie = cookieFor(path, sent)
      const [, key = ''] = cookie.split('=')
      expect(key).toMatch(/^[\w-]{22}$/)
      const linkOn = async (headers: Record<string, string>) => {
        const page = await ask(site(), `GET ${address}`, { headers })
        expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store'])
        expect(page.body).toContain('Form Person')
        return /value="([^"]+)\/answer\?key=([\w-]+)"/.exec(page.body)?.[2]
      }
      expect(await linkOn({ cookie })).toBe(key)
      const others: Record<string, string>[] = [
        {},
        { cookie: cookieFor(path, later) },
        { cookie: `rsvp-thanks=${'x'.repeat(22)}` },
      ]
      for (const headers of others) expect(await linkOn(headers)).toBeUndefined()
      expect((await ask(site(), `GET ${path}`, { headers: { cookie } })).body).not.toContain(key)
      expect(address + site().output()).not.toContain(key)
    },
  )

  it('is a cookie for as long as the thank-you is shown', async () => {
    const sent = await post('Form Person', '/share')
    expect(sent.status).toBe(303)
    expect(sent.headers.location).not.toContain('key')
    expect(sent.headers['set-cookie']).toHaveLength(3)
    for (const cookie of sent.headers['set-cookie'] ?? []) expect(cookie).toContain('; Max-Age=600; ')
    const page = await ask(site(), 'GET /answer', { headers: { cookie: cookieFor('/answer', sent) } })
    expect(page.body).toContain('Form Person')
  })
})

describe('what a visitor of a guarded site is told of his own response', () => {
  const site = guardedSite()

  it.each(['none', 'counts', 'initial', 'full'])('with names %s', async (publicNames) => {
    const headers = { cookie: await signIn(site()) }
    await ask(site(), 'PATCH /api/settings', { json: { publicNames }, headers })
    const visitor = await ask(site(), 'POST /api/rsvp', { json: testRsvp() })
    const administrator = await ask(site(), 'POST /api/rsvp', { json: testRsvp(), headers })
    expect([visitor.status, administrator.status]).toEqual([201, 201])
    const listed = publicNames === 'full' || publicNames === 'initial'
    const link = expect.stringContaining('/answer?key=')
    expect(JSON.parse(visitor.body)).toEqual(listed ? { id: expect.any(Number), link } : { link })
    expect(JSON.parse(administrator.body)).toEqual({ id: expect.any(Number), link })
    const hidden = async () => /<input[^>]*name="formKey"[^>]*>/.exec((await ask(site(), 'GET /share')).body)?.[0]
    // Random each time: neither a number nor a sign that another visitor has sent an RSVP.
    expect(await hidden()).not.toBe(await hidden())
  })
})
