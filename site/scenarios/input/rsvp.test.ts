import { describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { ask, storedRsvps } from '#site/scenarios/fixtures.ts'
import { administeredSite, asVisitor } from '#site/scenarios/guarded-fixtures.ts'

describe('an RSVP', () => {
  const site = administeredSite()
  const post = (sent: Parameters<typeof ask>[2]) => ask(asVisitor(site()), 'POST /api/rsvp', sent)

  it.each<[string, Record<string, unknown>, Record<string, unknown>?]>([
    ['the same role twice', { volunteerRoles: [1, 1] }, { volunteerSignups: [{ role: { id: 1, name: 'Greeter' } }] }],
    ['an id and a time of its own', { id: 999, createdAt: '1999' }, { createdAt: expect.stringMatching(/^20/) }],
    ['what only headers may set', { idempotencyKey: 'sample 1', formAge: 1, flooded: true }, { suspicion: null }],
  ])('is stored as it is with %s', async (_, changes, stored = changes) => {
    const reply = await post({ json: testRsvp(changes) })
    expect(reply.status).toBe(201)
    expect((await storedRsvps(site()))[0]).toMatchObject({ id: JSON.parse(reply.body).id, ...stored })
  })
})
