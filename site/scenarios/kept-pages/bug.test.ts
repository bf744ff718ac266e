import { expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { ask } from '#site/scenarios/fixtures.ts'
import { inSiteDatabase, PASSWORD, signIn } from '#site/scenarios/guarded-fixtures.ts'
import { startBuiltServer } from '../../../scripts/testing/built-server.mjs'

it('a bug while a page is made for all shows the error page and is logged once, and the page comes back', async () => {
  const site = await startBuiltServer({ ADMIN_PASSWORD: PASSWORD })
  try {
    const headers = { cookie: await signIn(site) }
    await ask(site, 'PATCH /api/settings', { json: { publicNames: 'full' }, headers })
    expect((await ask(site, 'POST /api/rsvp', { json: testRsvp({ name: 'Ana Cole' }) })).status).toBe(201)
    // No date can be printed of it, which is found only after the form was marked.
    inSiteDatabase(site, (database) => database.exec(`UPDATE rsvps SET created_at = 'nonsense'`))
    const { status, headers: received, body } = await ask(site, 'GET /')
    expect([status, received['content-type']]).toEqual([500, 'text/html; charset=utf-8'])
    expect(body).toContain('The fault is ours, and it has been logged.')
    expect(site.output().match(/unexpected error/g)).toHaveLength(1)
    inSiteDatabase(site, (database) => database.exec(`UPDATE rsvps SET created_at = '2026-11-22T10:00:00.000Z'`))
    const repaired = await ask(site, 'GET /')
    expect([repaired.status, repaired.body.includes('Ana Cole')]).toEqual([200, true])
  } finally {
    await site.stop()
  }
})
