import { describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { ask, expectProblem, expectUnharmed, storedRsvps } from '#site/scenarios/fixtures.ts'
import { administeredSite, asVisitor } from '#site/scenarios/guarded-fixtures.ts'

const JSON_TYPE = 'application/json'

describe('an RSVP', () => {
  const site = administeredSite()
  const post = (sent: Parameters<typeof ask>[2]) => ask(asVisitor(site()), 'POST /api/rsvp', sent)

  it('is refused with a message for each field, and is not stored', async () => {
    const reply = await post({ json: testRsvp({ email: 'a@b.co\r\nBcc: c@d.co', volunteerRoles: [1, -1] }) })
    expectProblem(reply, 400)
    expect(JSON.parse(reply.body).errors).toEqual([
      { path: 'email', message: 'Give one address.' },
      { path: 'volunteerRoles.1', message: 'Choose the roles from the list.' },
    ])
    await expectUnharmed(site(), 0)
  })

  it.each<[string, Record<string, unknown>, Record<string, unknown>?]>([
    ['the same role twice', { volunteerRoles: [1, 1] }, { volunteerSignups: [{ role: { id: 1, name: 'Greeter' } }] }],
    ['an id and a time of its own', { id: 999, createdAt: '1999' }, { createdAt: expect.stringMatching(/^20/) }],
    ['what only headers may set', { idempotencyKey: 'sample 1', formAge: 1, flooded: true }, { suspicion: null }],
  ])('is stored as it is with %s', async (_, changes, stored = changes) => {
    const reply = await post({ json: testRsvp(changes) })
    expect(reply.status).toBe(201)
    expect((await storedRsvps(site()))[0]).toMatchObject({ id: JSON.parse(reply.body).id, ...stored })
  })

  it.each(['__proto__', 'constructor', 'prototype'])('may have the key %s, which changes nothing', async (key) => {
    const rest = JSON.stringify(testRsvp()).slice(1)
    const body = `{"${key}":{"phone":"polluted","attending":false},${rest}`
    expect((await post({ body, headers: { 'content-type': JSON_TYPE } })).status).toBe(201)
    expect((await storedRsvps(site()))[0]).toMatchObject({ phone: null, attending: true })
  })
})
