import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { startFaultyNetwork } from '#db/storage/faulty-network-fixtures.ts'
import { serverToken } from '#db/storage/server-token-fixtures.ts'
import { ask, expectProblem, type Site, spawnServer } from '#site/scenarios/fixtures.ts'
import { startBuiltServer } from '../../../scripts/testing/built-server.mjs'
import { startLibsqlServer } from '../../../scripts/testing/libsql-server.mjs'

const response = /insert into \\"rsvps\\"/

describe('a site on a libSQL server', () => {
  let server: Awaited<ReturnType<typeof startLibsqlServer>>
  let network: Awaited<ReturnType<typeof startFaultyNetwork>>
  let site: Site
  beforeAll(async () => {
    server = await startLibsqlServer()
    network = await startFaultyNetwork(server.url)
    site = await startBuiltServer({ DATABASE_URL: network.url })
  })
  afterAll(async () => {
    await site.stop()
    await network.stop()
    await server.stop()
  })

  it('says after five seconds when to retry, while the database does not reply', async () => {
    network.plan('no reply comes', response, 1000)
    const started = performance.now()
    const reply = await ask(site, 'POST /api/rsvp', { json: testRsvp() })
    // As long again would be a second wait.
    expect(performance.now() - started).toBeLessThan(9500)
    network.clear()
    expectProblem(reply, 503)
    expect(reply.headers['retry-after']).toMatch(/^\d+$/)
    expect(site.output()).not.toContain('unexpected error')
  })
})

describe.each(['kill', 'pause'] as const)('a libSQL server that is down: %s', (fault) => {
  it('delays a page by its one deadline, and is in the log once', async () => {
    await using server = await startLibsqlServer()
    const site = await startBuiltServer({ DATABASE_URL: server.url, LOG_LEVEL: 'info' })
    await server[fault]()
    for (const path of ['/', '/share', '/nope']) {
      const started = performance.now()
      expect((await ask(site, `GET ${path}`)).status).toBe(path === '/nope' ? 404 : 503)
      // The deadline, two short lookups before it, and some time for a busy machine. One more read would take a second.
      expect(performance.now() - started).toBeLessThan(6500)
    }
    expect(site.output().match(/the database failed/g)).toHaveLength(1)
    await site.stop()
  })
})

describe('a libSQL server that wants a token', () => {
  it('makes the start end with 78 and a sentence that names the setting', async () => {
    const server = await startLibsqlServer(serverToken().variables)
    const { ended, printed } = spawnServer({ PORT: '0', DATABASE_URL: server.url, DATABASE_AUTH_TOKEN: 'wrong' })
    expect(await ended).toEqual({ code: 78 })
    expect(printed.stdout).toBe('')
    expect(printed.stderr).toMatch(/^The libSQL server .*\(HTTP 401\)\. Set DATABASE_AUTH_TOKEN .*\.\n$/)
    await server.stop()
  })
})
