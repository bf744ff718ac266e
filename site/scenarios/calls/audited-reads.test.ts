import { expect, it } from 'vitest'
import { ask, testSite } from '#site/scenarios/fixtures.ts'
import { inSiteDatabase } from '#site/scenarios/guarded-fixtures.ts'

const site = testSite()

it('writes into the audit who took all responses along', async () => {
  await ask(site(), 'GET /admin')
  await ask(site(), 'GET /api/rsvps')
  for (const path of ['/api/rsvps/download', '/api/rsvps/print'])
    expect((await ask(site(), `GET ${path}`)).status).toBe(200)
  const entries = inSiteDatabase(site(), (database) =>
    database.prepare('SELECT actor, action FROM audit_entries ORDER BY id').all(),
  )
  expect(entries).toEqual([
    { actor: 'open mode', action: 'responses exported' },
    { actor: 'open mode', action: 'responses printed' },
  ])
})
