import { afterAll, describe, expect, it } from 'vitest'
import { fileDatabase, openForTests, testCall } from '#db/fixtures.ts'
import type { Access } from '#site/call-description.ts'
import { addressOf, builtRoutes, endpoints } from '#site/scenarios/route-fixtures.ts'
import { accessTable, accessTo } from '#site/server/access/access.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']
const ours = builtRoutes.filter((route) => !route.startsWith('/_'))
const everyOther = '/api/[...path]'

describe('the table of who may do what', () => {
  it('names every route that is built, and no other', () => {
    expect(Object.keys(accessTable).sort()).toEqual(ours.toSorted())
    expect(ours.length).toBeGreaterThan(15)
  })

  it.each(Object.keys(endpoints).filter((route) => route !== everyOther))('names what %s exports', (route) => {
    // Astro handles HEAD with the GET handler.
    const known = methods.filter((method) => method !== 'HEAD' && accessTo(route, method) !== undefined)
    expect(Object.keys(endpoints[route] ?? {}).toSorted()).toEqual(known.toSorted())
  })

  it.each(ours.filter((route) => !route.startsWith('/api/')))('lets the page %s only be read', (page) => {
    // These have a form for the turnout, which is posted to the page itself.
    const isPosted = page === '/admin' || page === '/admin/sheet'
    expect(Object.keys(accessTable[page] ?? {})).toEqual(isPosted ? ['GET', 'POST'] : ['GET'])
  })

  it.each(builtRoutes.filter((route) => !ours.includes(route)))('gives no access to %s', (route) => {
    expect(methods.map((method) => accessTo(route, method))).toEqual(methods.map(() => undefined))
  })

  it.each(['', 'constructor', '__proto__', 'toString', '/nope', '/api', '/admin/'])(
    'gives no access to "%s"',
    (route) => {
      for (const method of [...methods, 'constructor', '__proto__']) expect(accessTo(route, method)).toBeUndefined()
    },
  )

  it('knows no method by what every object has', () => {
    for (const method of ['constructor', '__proto__', 'toString', '0', 'length', 'get'])
      for (const route of ours.filter((route) => route !== everyOther)) expect(accessTo(route, method)).toBeUndefined()
  })
})

describe('an endpoint', () => {
  const database = fileDatabase()
  afterAll(() => database.stop())
  openForTests(database.url)

  const rows = Object.entries(endpoints).flatMap(([route, handlers]) =>
    Object.keys(handlers).map((method) => ({ route, method, access: accessTo(route, method) })),
  )

  it.each(rows)('for $method $route is, by itself, for the $access', async ({ route, method, access }) => {
    const expected: Record<Access, boolean> = { public: false, 'public-or-admin': false, administrator: true }
    const { status } = await call(route, method, false)
    expect(status === 401).toBe(access && expected[access])
    expect((await call(route, method, true)).status).not.toBe(401)
  })

  /** Calls the handler as Astro would, past the middleware that looks at the table. */
  async function call(route: string, method: string, administrator: boolean): Promise<Response> {
    const url = new URL(addressOf(route), 'http://localhost')
    const context = {
      url,
      request: new Request(url, { method }),
      params: { id: '999' },
      routePattern: route,
      cookies: { get: () => undefined, set: () => {}, delete: () => {} },
      locals: { origin: url.origin, call: testCall({ administrator, actor: 'visitor' }) },
    }
    const handler = endpoints[route]?.[method]
    // @ts-expect-error -- The rest of Astro's context is not there: whoever reads it fails this test.
    return (await handler?.(context)) ?? new Response(null, { status: 500 })
  }
})
