import { describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { ask, expectProblem, expectUnharmed, storedRsvps } from '#site/scenarios/fixtures.ts'
import { administeredSite, asVisitor } from '#site/scenarios/guarded-fixtures.ts'

const JSON_TYPE = 'application/json'
const members = (count: number) => Array.from({ length: count }, (_, number) => ({ name: `Member ${number}` }))

describe('an RSVP', () => {
  const site = administeredSite()
  const post = (sent: Parameters<typeof ask>[2]) => ask(asVisitor(site()), 'POST /api/rsvp', sent)

  // What fits is decided by the schema, whose test has them all.
  it.each<[string, Record<string, unknown>, string, string | RegExp]>([
    ['no name', { name: undefined }, 'name', 'Name is required'],
    ['a name with NUL', { name: 'Ana\0Cole' }, 'name', /cannot be stored/],
    ['an email with a header', { email: 'a@b.co\r\nBcc: c@d.co' }, 'email', 'Give one address.'],
    ['a member without a name', { familyMembers: [{ age: 'teen' }] }, 'familyMembers.0.name', 'Name is required'],
    ['a role that does not exist', { volunteerRoles: [1, 999999] }, 'volunteerRoles', /from the list/],
  ])('is refused with %s', async (_, changes, path, message) => {
    const reply = await post({ json: testRsvp(changes) })
    expectProblem(reply, 400)
    const expected = typeof message === 'string' ? message : expect.stringMatching(message)
    expect(JSON.parse(reply.body).errors).toContainEqual({ path, message: expected })
  })

  it('that was refused is not stored', () => expectUnharmed(site(), 0))

  it.each<[string, Record<string, unknown>, Record<string, unknown>?]>([
    ['20 members', { familyMembers: members(20) }, { familyMembers: { length: 20 } }],
    ['the same role twice', { volunteerRoles: [1, 1] }, { volunteerSignups: [{ role: { id: 1, name: 'Greeter' } }] }],
    ['a calendar type of ""', { calendarType: '', addToCalendar: null }, { calendarType: null, addToCalendar: false }],
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
