import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { ask, runRsvp, type Site, storedRsvps } from '#site/scenarios/fixtures.ts'
import { PASSWORD, signIn } from '#site/scenarios/guarded-fixtures.ts'
import { startBuiltServer } from '#testing/built-server.mjs'
import { testRsvp } from '#testing/database-fixtures.ts'
import { startLibsqlServer } from '#testing/libsql-server.mjs'
import { withOverrides } from '#testing/overrides.mjs'

/** For so long an instance may show what was before another one wrote, in ms. */
const READ_TTL_MS = 1000

let database: Awaited<ReturnType<typeof startLibsqlServer>>
let one: Site
let two: Site
let sites: Site[]

beforeAll(async () => {
  database = await startLibsqlServer()
  const settings = { DATABASE_URL: database.url, RSVP_POST_LIMIT: 'off' }
  // At once, as behind a load balancer: both find an empty database.
  ;[one, two] = await Promise.all([startBuiltServer(settings), startBuiltServer(settings)])
  sites = [one, two]
})
afterAll(async () => {
  for (const { stop } of sites) await stop()
  await database.stop()
})

// Many clients that send to both are those of `npm run lab -- chaos --database server`.
it('two instances store an RSVP once that is sent to both at once, are both guarded, and show what the other stored', async () => {
  const sent = { json: testRsvp(), headers: { 'idempotency-key': 'a-key' } }
  const replies = await Promise.all(sites.map((site) => ask(site, 'POST /api/rsvp', sent)))
  expect(new Set(replies.map(({ status, body }) => `${status} ${JSON.parse(body).id}`))).toEqual(new Set(['201 1']))
  for (const site of sites) expect(await storedRsvps(site)).toHaveLength(1)

  await runRsvp(database.url, ['password'], PASSWORD)
  await wait(READ_TTL_MS)
  for (const site of sites)
    for (const call of ['GET /admin', 'GET /api/rsvps/download', 'DELETE /api/rsvps/1'])
      expect((await ask(site, call)).status).toBe(401)

  const headers = { cookie: await signIn(one) }
  await ask(one, 'PATCH /api/settings', { json: { publicNames: 'full' }, headers })
  const shown = async (site: Site) => (await ask(site, 'GET /')).body
  for (const [here, there, name] of [[one, two, 'Cornelius'] as const, [two, one, 'Dorothea'] as const]) {
    for (const site of [...sites, ...sites]) await shown(site)
    expect((await ask(here, 'POST /api/rsvp', { json: testRsvp({ name }) })).status).toBe(201)
    expect(await shown(here)).toContain(name)
    // What is not kept shows it at its next load.
    expect((await ask(there, 'GET /admin', { headers })).body).toContain(name)
    await wait(READ_TTL_MS)
    expect(await shown(there)).toContain(name)
  }
})

it('a libSQL server that hangs delays a page by its one deadline, and is in the log once', async () => {
  await using server = await startLibsqlServer()
  const overrides = withOverrides({ REQUEST_DEADLINE_MS: 1000 })
  await using site = await startBuiltServer({ DATABASE_URL: server.url, LOG_LEVEL: 'info', ...overrides })
  await server.pause()
  // The deadline and two short lookups before it. One more read would take a second each time; a busy machine may.
  for (const path of ['/', '/share', '/nope'])
    await vi.waitFor(async () => {
      const started = performance.now()
      expect((await ask(site, `GET ${path}`)).status).toBe(path === '/nope' ? 404 : 503)
      expect(performance.now() - started).toBeLessThan(2400)
    })
  expect(site.output().match(/the database failed/g)).toHaveLength(1)
})
