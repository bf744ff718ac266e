import { describe, expect, it } from 'vitest'
import { testEvent, testRsvp } from '#db/fixtures.ts'
import {
  ask,
  describeSiteOnBothDatabases,
  expectProblem,
  expectUnharmed,
  type Site,
  storedRsvps,
} from '#site/scenarios/fixtures.ts'
import { administeredSite, describeInBothModes } from '#site/scenarios/guarded-fixtures.ts'

describeInBothModes('other calls with input that does not fit', (site) => {
  it.each(['abc', '0', '-1', '+1', '1e0', '0x1', '01', '1.0', '1%20', '%31%00', '１', '1'.repeat(16), '1'.repeat(20)])(
    'refuses to delete %s',
    async (id) => {
      await ask(site(), 'POST /api/rsvp', { json: testRsvp(), headers: { 'idempotency-key': 'the-only-one' } })
      expectProblem(await ask(site(), `DELETE /api/rsvps/${encodeURI(decodeURI(id))}`), 400)
      expectProblem(await ask(site(), `POST /api/rsvps/${encodeURI(decodeURI(id))}/restore`), 400)
      await expectUnharmed(site(), 1)
    },
  )

  it.each(['999', '1'.repeat(15)])('knows no response %s', async (id) => {
    expectProblem(await ask(site(), `DELETE /api/rsvps/${id}`), 404)
    expectProblem(await ask(site(), `POST /api/rsvps/${id}/restore`), 404)
  })

  it.each<[string, string, unknown]>([
    ['no feature', 'PATCH /api/features', {}],
    ['an unknown feature', 'PATCH /api/features', { darkMode: true }],
    ['a known and an unknown feature', 'PATCH /api/features', { familyRsvp: false, darkMode: true }],
    ['__proto__ as a feature', 'PATCH /api/features', JSON.parse('{"__proto__":{"familyRsvp":false}}')],
    ['a feature as text', 'PATCH /api/features', { familyRsvp: 'yes' }],
    ['a feature as null', 'PATCH /api/features', { familyRsvp: null }],
    ['a list of features', 'PATCH /api/features', [{ familyRsvp: false }]],
    ['features as null', 'PATCH /api/features', null],
    ['an event of 10 KB', 'POST /api/event', testEvent({ description: 'x'.repeat(10_000) })],
    ['an event title of 2,001', 'POST /api/event', testEvent({ title: 'x'.repeat(2001) })],
    ['an event with a number', 'POST /api/event', { ...testEvent(), date: 5 }],
    ['an event without a time', 'POST /api/event', { ...testEvent(), time: undefined }],
    ['an event with NUL', 'POST /api/event', testEvent({ location: 'a\0b' })],
    ['an event as a list', 'POST /api/event', []],
    ['a role without a name', 'POST /api/volunteer-roles', {}],
    ['a role that cannot be seen', 'POST /api/volunteer-roles', { name: '\u200b' }],
    ['a change of nothing', 'PATCH /api/volunteer-roles/1', {}],
    ['retired as text', 'PATCH /api/volunteer-roles/1', { retired: 'true' }],
    ['a role called 1e0', 'PATCH /api/volunteer-roles/1e0', { name: 'Greeters' }],
    ['an id in the body', 'PATCH /api/volunteer-roles/x', { id: '1', name: 'Greeters' }],
    ['no setting', 'PATCH /api/settings', {}],
    ['an unknown setting', 'PATCH /api/settings', { retentionDays: 30, darkMode: true }],
    ['an unknown choice of names', 'PATCH /api/settings', { publicNames: 'all' }],
    ['names as a list', 'PATCH /api/settings', { publicNames: ['full'] }],
    ['a retention of no days', 'PATCH /api/settings', { retentionDays: 0 }],
    ['a retention of half a day', 'PATCH /api/settings', { retentionDays: 0.5 }],
    ['a retention beyond ten years', 'PATCH /api/settings', { retentionDays: 3651 }],
    ['a retention as text', 'PATCH /api/settings', { retentionDays: '30' }],
    ['no password', 'POST /api/session', {}],
    ['an empty password', 'POST /api/session', { password: '' }],
    ['a password as a number', 'POST /api/session', { password: 123456789012 }],
    ['a password as an object', 'POST /api/session', { password: { $ne: null } }],
    ['a password as a list', 'POST /api/session', ['four words and none of them']],
  ])('refuses %s', async (_, call, json) => {
    expectProblem(await ask(site(), call, { json }), 400)
    expect((await ask(site(), 'GET /api/settings')).body).toBe('{"publicNames":"initial","retentionDays":null}')
    expect((await ask(site(), 'GET /api/event')).body).toBe('null')
    expect((await ask(site(), 'GET /api/features')).body).not.toContain('false')
    expect((await ask(site(), 'GET /api/volunteer-roles')).body).toContain('"id":1,"name":"Greeter"')
    await expectUnharmed(site(), 1)
  })

  it.each([
    'PATCH /api/features',
    'POST /api/event',
    'POST /api/volunteer-roles',
    'PATCH /api/volunteer-roles/1',
    'PATCH /api/settings',
  ])('%s wants JSON', async (call) => {
    expectProblem(await ask(site(), call, { body: '{}', headers: { 'content-type': 'text/plain' } }), 415)
    expectProblem(
      await ask(site(), call, {
        body: 'familyRsvp=false',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
      415,
    )
    expectProblem(await ask(site(), call, { body: '{', headers: { 'content-type': 'application/json' } }), 400)
    expectProblem(await ask(site(), call), 415)
  })

  it.each([
    '?limit=0',
    '?limit=1001',
    '?limit=x',
    '?limit=',
    '?limit=-1',
    '?limit=1.5',
    '?limit=1e1000',
    '?before=x',
    '?before=0',
    '?limit=1&before=-1',
    '?limit=2&limit=x',
  ])('refuses GET /api/rsvps%s', async (query) => {
    expectProblem(await ask(site(), `GET /api/rsvps${query}`), 400)
  })

  it('refuses an Idempotency-Key with blanks, or of 201 characters', async () => {
    for (const key of ['two words', 'x'.repeat(201), 'Ümlaut'])
      expectProblem(await ask(site(), 'POST /api/rsvp', { json: testRsvp(), headers: { 'idempotency-key': key } }), 400)
    await expectUnharmed(site(), 1)
  })
})

describeSiteOnBothDatabases('the same call at the same time', sentTogether)
describe('the same call at the same time in guarded mode', () => sentTogether(administeredSite()))

function sentTogether(site: () => Site): void {
  it('stores one response for one Idempotency-Key, however often it is sent', async () => {
    const same = {
      json: testRsvp({ familyMembers: [{ name: 'Joel Cole' }], volunteerRoles: [1] }),
      headers: { 'idempotency-key': 'pressed-twice' },
    }
    const replies = await Promise.all(Array.from({ length: 10 }, () => ask(site(), 'POST /api/rsvp', same)))
    replies.push(await ask(site(), 'POST /api/rsvp', same))
    expect(new Set(replies.map(({ status, body }) => `${status} ${body}`)).size).toBe(1)
    expect(replies[0]?.status).toBe(201)
    const [stored] = await storedRsvps(site())
    expect(stored).toMatchObject({ familyMembers: [{ name: 'Joel Cole' }], volunteerSignups: [{ role: { id: 1 } }] })
    await expectUnharmed(site(), 1)
  })

  it('deletes a response once when it is asked fifty times', async () => {
    const [stored] = await storedRsvps(site())
    const replies = await Promise.all(Array.from({ length: 50 }, () => ask(site(), `DELETE /api/rsvps/${stored?.id}`)))
    expect(replies.filter(({ status }) => status === 204)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 404)).toHaveLength(49)
    await expectUnharmed(site(), 0)
  })

  it('ignores what belongs to a feature that is off', async () => {
    await ask(site(), 'PATCH /api/features', {
      json: { familyRsvp: false, volunteerSignup: false, calendarIntegration: false },
    })
    const json = testRsvp({
      familyMembers: [{ name: 'Joel Cole' }],
      volunteerRoles: [1],
      calendarType: 'ical',
      addToCalendar: true,
    })
    expect((await ask(site(), 'POST /api/rsvp', { json })).status).toBe(201)
    const [stored] = await storedRsvps(site())
    expect(stored).toMatchObject({ familyMembers: [], volunteerSignups: [], calendarType: null, addToCalendar: false })
    await expectUnharmed(site(), 1)
  })
}
