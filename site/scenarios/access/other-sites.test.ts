import { describe, expect, it } from 'vitest'
import { ask, expectProblem, testSite } from '#site/scenarios/fixtures.ts'
import { administeredSite, asVisitor, PASSWORD, rowsByTable } from '#site/scenarios/guarded-fixtures.ts'
import { testEvent, testRsvp } from '#testing/database-fixtures.ts'

const CALLS: [string, unknown?][] = [
  ['POST /api/rsvp', testRsvp()],
  ['POST /api/event', testEvent({ title: 'Taken over' })],
  ['PATCH /api/features', { familyRsvp: false }],
  ['DELETE /api/rsvps/1'],
  ['POST /api/answer', { name: 'Taken over' }],
  ['POST /api/session', { password: PASSWORD }],
  ['DELETE /api/session'],
  ['POST /share', {}],
  ['PATCH /nope', {}],
]
const TYPES = ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']
const PUBLIC_URL = 'https://rsvp.example.org'

// Which origins are others is decided by the guard, whose test has them all.
describe.each([
  ['in open mode', testSite(), undefined],
  ['that is guarded, behind a public address', administeredSite({ PUBLIC_URL }), PUBLIC_URL],
])('a site %s', (_, site, address) => {
  const own = () => address ?? site().url

  it('refuses a change that another site asks for, whoever sends it, and it changes nothing', async () => {
    expect((await ask(site(), 'POST /api/rsvp', { json: testRsvp() })).status).toBe(201)
    const before = rowsByTable(site())
    const foreign = [
      'null',
      own().replace(/:\d+$|$/, ':81'),
      `${own()}, https://evil.example`,
      `${own()}@evil.example`,
      '',
    ]
    const asked: Record<string, string>[] = [
      ...foreign.map((origin) => ({ origin, 'content-type': 'application/json' })),
      ...TYPES.map((type) => ({ origin: 'https://evil.example', 'content-type': type })),
      ...['cross-site', 'same-site', 'nonsense'].map((said) => ({ 'sec-fetch-site': said, origin: own() })),
    ]
    for (const headers of asked)
      for (const caller of [site(), asVisitor(site())])
        for (const [call, json] of CALLS) {
          const reply = await ask(caller, call, { body: JSON.stringify(json) ?? '', headers })
          expectProblem(reply, 403)
          expect(reply.headers).not.toHaveProperty('set-cookie')
        }
    expect(rowsByTable(site())).toEqual(before)
  })
})
