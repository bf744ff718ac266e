import { describe, expect, it } from 'vitest'
import { testEvent, testRsvp } from '#db/fixtures.ts'
import { ask, expectProblem, expectUnharmed, testSite } from '#site/scenarios/fixtures.ts'
import { administeredSite, rowsByTable } from '#site/scenarios/guarded-fixtures.ts'
import { fuzzSite } from '../../../lab/fuzz/requests.ts'

describe('a call with input that does not fit', () => {
  const site = administeredSite()

  it('is a 400 for what is no id, and a 404 for one that no response has', async () => {
    for (const [id, status] of [['abc', 400] as const, ['1%20', 400] as const, ['999', 404] as const])
      for (const call of [`DELETE /api/rsvps/${id}`, `POST /api/rsvps/${id}/restore`])
        expectProblem(await ask(site(), call), status)
  })

  it('is a 400, and changes nothing', async () => {
    expect((await ask(site(), 'POST /api/rsvp', { json: testRsvp() })).status).toBe(201)
    const before = rowsByTable(site())
    const refused: [string, unknown][] = [
      ['PATCH /api/features', {}],
      ['PATCH /api/features', { familyRsvp: false, darkMode: true }],
      ['PATCH /api/features', JSON.parse('{"__proto__":{"familyRsvp":false}}')],
      ['POST /api/event', testEvent({ description: 'x'.repeat(10_000) })],
      ['PUT /api/event/translations/de', { title: 'x'.repeat(2001) }],
      ['POST /api/volunteer-roles', {}],
      ['POST /api/volunteer-roles', { name: '\u200b' }],
      ['PATCH /api/volunteer-roles/1', { retired: 'true' }],
      ['PATCH /api/volunteer-roles/1e0', { name: 'Greeters' }],
      ['PATCH /api/settings', { retentionDays: 30, darkMode: true }],
      ['PATCH /api/settings', { publicNames: ['full'] }],
      ['PATCH /api/settings', null],
      ['POST /api/session', { password: { $ne: null } }],
    ]
    for (const [call, json] of refused) expectProblem(await ask(site(), call, { json }), 400)
    expect(rowsByTable(site())).toEqual(before)
    await expectUnharmed(site(), 1)
  })

  it('is a 415 unless it is JSON', async () => {
    for (const sent of [{ body: '{}', headers: { 'content-type': 'text/plain' } }, { form: 'familyRsvp=false' }, {}])
      expectProblem(await ask(site(), 'PATCH /api/features', sent), 415)
  })

  it('is a 400 for a limit that is none, means nothing on a page, and is never an error of the server', async () => {
    for (const query of ['limit=0', 'limit=1001', 'limit=', 'before=x'])
      expectProblem(await ask(site(), `GET /api/rsvps?${query}`), 400)
    for (const query of ['email=x&email=y', 'email=', 'deleted=true&email=x', 'deleted=x', 'role=x', 'q=', 'same=0'])
      expect((await ask(site(), `GET /api/rsvps?${query}`)).status).toBeLessThan(500)
    for (const before of ['abc', '', '-1', '99999999999999999999'])
      expect((await ask(site(), `GET /?before=${before}`)).status).toBe(200)
  })
})

// `npm run lab -- fuzz` sends many more, in both modes and from other seeds.
describe('whatever it is sent', () => {
  const site = testSite()

  it('the server replies in time and without an internal error', async () => {
    const { findings } = await fuzzSite(site(), { seed: 1, requests: 100, messages: 40, guarded: false })
    expect(findings).toEqual([])
  })
})
