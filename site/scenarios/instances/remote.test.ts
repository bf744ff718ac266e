import { expect, it } from 'vitest'
import { ask } from '#site/scenarios/fixtures.ts'
import { startBuiltServer } from '../../../scripts/testing/built-server.mjs'
import { startLibsqlServer } from '../../../scripts/testing/libsql-server.mjs'

it('a libSQL server that hangs delays a page by its one deadline, and is in the log once', async () => {
  await using server = await startLibsqlServer()
  const site = await startBuiltServer({ DATABASE_URL: server.url, LOG_LEVEL: 'info' })
  await server.pause()
  for (const path of ['/', '/share', '/nope']) {
    const started = performance.now()
    expect((await ask(site, `GET ${path}`)).status).toBe(path === '/nope' ? 404 : 503)
    // The deadline, two short lookups before it, and some time for a busy machine. One more read would take a second.
    expect(performance.now() - started).toBeLessThan(6500)
  }
  expect(site.output().match(/the database failed/g)).toHaveLength(1)
  await site.stop()
})
