import { describe, expect, it } from 'vitest'
import { ask, expectProblem } from '#site/scenarios/fixtures.ts'
import { administeredSite, asVisitor } from '#site/scenarios/guarded-fixtures.ts'
import { addressOf, builtRoutes } from '#site/scenarios/route-fixtures.ts'
import { accessTable, accessTo, methodsOf } from '#site/server/access/access.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']
const ours = builtRoutes.filter((route) => !route.startsWith('/_'))
const everyOther = '/api/[...path]'

describe('the table of who may do what', () => {
  it('names every route that is built, and no other', () => {
    expect(Object.keys(accessTable).sort()).toEqual(ours.toSorted())
    expect(ours.length).toBeGreaterThan(15)
  })

  it('gives no access to what Astro adds', () => {
    for (const route of builtRoutes.filter((route) => !ours.includes(route)))
      expect(METHODS.map((method) => accessTo(route, method))).toEqual(METHODS.map(() => undefined))
  })
})

describe('a method that an address does not know', () => {
  const site = administeredSite()

  it('is a 405 that names those it knows, to everyone', async () => {
    for (const route of ours.filter((route) => !['/404', '/500', '/sign-in', everyOther].includes(route))) {
      const allowed = methodsOf(route)
      const [unknown = ''] = METHODS.toReversed().filter((method) => !allowed.split(', ').includes(method))
      for (const [caller, method] of [[site(), unknown] as const, [asVisitor(site()), 'OPTIONS'] as const]) {
        const reply = await ask(caller, `${method} ${addressOf(route)}`)
        expectProblem(reply, 405)
        expect([route, reply.headers.allow]).toEqual([route, allowed])
      }
    }
    expect((await ask(site(), 'POST /favicon.svg')).headers.allow).toBe('GET, HEAD')
  })

  it('of an unknown call is a 404 problem, whatever it is', async () => {
    for (const method of METHODS)
      for (const path of ['/api', '/api/nope', '/api/rsvps/1/2', '/api/RSVP', '/api/.env']) {
        const reply = await ask(site(), `${method} ${path}`)
        if (method === 'HEAD') expect(reply).toMatchObject({ status: 404, body: '' })
        else expectProblem(reply, 404)
      }
  })
})

describe('an address that does not exist', () => {
  const site = administeredSite()
  const unknown = `/nope /share.html /404 /500 /sign-in /_image?href=/favicon.svg&f=svg /%5fimage?href=/favicon.svg
    /_server-islands/x /@fs/etc/passwd /.env /assets /assets/nope.js /server/entry.mjs /data/rsvp.db /favicon.svg.br
    /favicon.svg/x /FAVICON.SVG`

  it('is the 404 page', async () => {
    for (const path of unknown.split(/\s+/)) {
      for (const caller of [site(), asVisitor(site())])
        expect([path, await ask(caller, `GET ${path}`)]).toMatchObject([
          path,
          {
            status: 404,
            headers: { 'content-type': 'text/html; charset=utf-8' },
            body: expect.stringContaining('404 Page Not Found'),
          },
        ])
      expect((await ask(site(), `HEAD ${path}`)).status).toBe(404)
      expect((await ask(site(), `POST ${path}`, { json: {} })).status).toBe(405)
    }
  })

  it('leads to the page that is meant, and is a page to people however it is written', async () => {
    for (const path of ['/Share', '/share).', '//share', '/share;', '/share%', '/share%E2%80%8B']) {
      const reply = await ask(asVisitor(site()), `GET ${path}?a=b`)
      expect([path, reply]).toMatchObject([path, { status: 301, headers: { location: '/share?a=b' } }])
    }
    const accept = 'text/html,application/xhtml+xml'
    const long = `/share?x=${'a'.repeat(3000)}`
    for (const path of ['//nope', '/nope;', '/share/../admin', '/nope%', '/share/%FF/x', long]) {
      const reply = await ask(asVisitor(site()), `GET ${path}`, { headers: { accept } })
      expect([path, reply]).toMatchObject([path, { status: 404, body: expect.stringContaining('404 Page Not Found') }])
      expect((await ask(asVisitor(site()), `HEAD ${path}`, { headers: { accept } })).status).toBe(404)
      expectProblem(await ask(asVisitor(site()), `GET ${path}`), path === long ? 414 : 400)
    }
    for (const path of ['//nope', '/share%'])
      expectProblem(await ask(site(), `GET ${path}`, { headers: { accept, host: 'evil.example' } }), 421)
  })

  it('is a 404 page in pieces of the static folder too', async () => {
    const asset = /\/assets\/[\w.-]+\.css/.exec((await ask(site(), 'GET /share')).body)?.[0]
    expect((await ask(site(), `GET ${asset}`)).status).toBe(200)
    for (const ending of ['.br', '.map']) expect((await ask(site(), `GET ${asset}${ending}`)).status).toBe(404)
  })
})
