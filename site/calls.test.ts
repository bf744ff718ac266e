import { readFileSync } from 'node:fs'
import type { APIRoute } from 'astro'
import { afterAll, describe, expect, it } from 'vitest'
import type { Call } from '#db/call.ts'
import { roles } from '#db/values/roles.ts'
import { calls } from '#site/calls.ts'
import { addressOf, isRefused } from '#site/scenarios/route-fixtures.ts'
import { accessTo } from '#site/server/access/access.ts'
import { fileDatabase, openForTests, testCall } from '#testing/database-fixtures.ts'

/** The sentences of the table of access, and no other refusal. */
const REFUSAL = /Only an? (administrator|owner|clerk or an owner) may do this\./
const modules = import.meta.glob<Record<string, APIRoute>>('./pages/api/**/*.ts', { eager: true })
/** What the files of `pages/api` export, e.g. `PATCH /api/rsvps/[id]`. */
const exported = Object.entries(modules).flatMap(([file, handlers]) =>
  Object.entries(handlers).map(([method, handler]) => {
    const route = file.slice('./pages'.length, -'.ts'.length)
    return { file, method, route, handler, name: `${method} ${route}` }
  }),
)
const endpoints = exported.filter(({ name }) => name !== 'ALL /api/[...path]')

describe('the table of calls', () => {
  it('has an entry for each method that a file in pages/api exports, and no other', () => {
    expect(endpoints.map(({ name }) => name).toSorted()).toEqual(Object.keys(calls).toSorted())
  })
})

describe('an endpoint', () => {
  const database = fileDatabase()
  afterAll(() => database.stop())
  openForTests(database.url)

  it.each(endpoints)('for $name has the entry of that name', ({ file, method, name }) => {
    const source = readFileSync(new URL(file, import.meta.url), 'utf8').replaceAll(/\(\s+/g, '(')
    expect(source).toContain(`export const ${method} = endpoint('${name}',`)
  })

  it.each(endpoints)('for $name refuses by itself whom the table refuses', async ({ method, route, handler }) => {
    const access = accessTo(route, method)
    for (const role of [...roles, 'visitor'] as const) {
      const refused = REFUSAL.test(await (await callPastMiddleware(handler, method, route, role)).text())
      expect([role, refused]).toEqual([role, isRefused(role, access)])
    }
  })

  /** Calls the handler as Astro would, without the middleware, which looks at the table first. */
  async function callPastMiddleware(handler: APIRoute, method: string, route: string, role: Call['role']) {
    const url = new URL(addressOf(route), 'http://localhost')
    const context = {
      url,
      request: new Request(url, { method }),
      params: { id: '999' },
      routePattern: route,
      cookies: { get: () => undefined, set: () => {}, delete: () => {} },
      locals: {
        origin: url.origin,
        publicUrl: { current: () => undefined },
        reply: { once: () => {} },
        call: testCall({ role, actor: 'visitor' }),
      },
    }
    // @ts-expect-error -- The rest of Astro's context is not there: whoever reads it fails this test.
    return handler(context)
  }
})
