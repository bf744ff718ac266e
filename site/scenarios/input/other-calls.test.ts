import { describe, expect, it } from 'vitest'
import { testEvent, testRsvp } from '#db/fixtures.ts'
import { ask, expectProblem, expectUnharmed, testSite } from '#site/scenarios/fixtures.ts'
import { administeredSite, rowsByTable } from '#site/scenarios/guarded-fixtures.ts'
import { fuzzSite } from '../../../lab/fuzz/requests.ts'

describe('a call with input that does not fit', () => {
  const site = administeredSite()

  it.each(['abc', '0', '1e0', '1%20', '1'.repeat(20)])('is a 400 for the id %s', async (id) => {
    const path = `/api/rsvps/${encodeURI(decodeURI(id))}`
    for (const call of [`DELETE ${path}`, `POST ${path}/restore`]) expectProblem(await ask(site(), call), 400)
  })

  it('is a 404 for an id that no response has', async () => {
    for (const call of ['DELETE /api/rsvps/999', 'POST /api/rsvps/999/restore'])
      expectProblem(await ask(site(), call), 404)
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

  it.each(['PATCH /api/features', 'POST /api/event', 'POST /api/volunteer-roles', 'PATCH /api/settings'])(
    '%s wants JSON',
    async (call) => {
      expectProblem(await ask(site(), call, { body: '{}', headers: { 'content-type': 'text/plain' } }), 415)
      expectProblem(await ask(site(), call, { form: 'familyRsvp=false' }), 415)
      expectProblem(await ask(site(), call), 415)
      expectProblem(await ask(site(), call, { body: '{', headers: { 'content-type': 'application/json' } }), 400)
      expectProblem(await ask(site(), call, { json: { title: 'x'.repeat(70_000) } }), 413)
    },
  )

  it.each(['?limit=0', '?limit=1001', '?limit=', '?before=x'])('GET /api/rsvps%s is a 400', async (query) =>
    expectProblem(await ask(site(), `GET /api/rsvps${query}`), 400),
  )

  it.each(['email=x&email=y', 'email=', 'deleted=true&email=x', 'deleted=x', 'role=x', 'q=', 'same=0'])(
    'GET /api/rsvps?%s is never an error of the server',
    async (query) => expect((await ask(site(), `GET /api/rsvps?${query}`)).status).toBeLessThan(500),
  )

  it.each(['abc', '', '-1', '99999999999999999999'])('means nothing on a page: ?before=%s', async (before) => {
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
