import { describe, expect, it } from 'vitest'
import { testEvent, testRsvp } from '#db/fixtures.ts'
import { ask, expectProblem, expectUnharmed, type Site } from '#site/scenarios/fixtures.ts'
import { PASSWORD, rowsByTable } from '#site/scenarios/guarded-fixtures.ts'
import { asVisitor, describeInBothModes } from '#site/scenarios/mode-fixtures.ts'

const TYPES = [
  undefined,
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-8',
]
const CALLS: [string, unknown?][] = [
  ['POST /api/rsvp', testRsvp()],
  ['POST /api/event', testEvent({ title: 'Taken over' })],
  ['PATCH /api/features', { familyRsvp: false }],
  ['PATCH /api/settings', { publicNames: 'full' }],
  ['POST /api/volunteer-roles', { name: 'Taken over' }],
  ['PATCH /api/volunteer-roles/1', { retired: true }],
  ['DELETE /api/rsvps/1'],
  ['POST /api/rsvps/2/restore'],
  ['PATCH /api/answer', { name: 'Taken over' }],
  ['POST /api/answer', { name: 'Taken over' }],
  ['DELETE /api/answer'],
  ['POST /api/answer/restore'],
  ['POST /api/session', { password: PASSWORD }],
  ['DELETE /api/session'],
  ['POST /share', {}],
  ['PUT /api/event', {}],
  ['PATCH /nope', {}],
  ['DELETE /favicon.svg'],
]
const SECURE = 'https://rsvp.example.org'

/** Names and ports that are almost ours. */
function foreignOrigins({ url }: Site): string[] {
  const port = Number(new URL(url).port)
  return [
    'null',
    'https://evil.example',
    `http://127.0.0.1:${port - 1}`,
    `http://localhost:${port}`,
    `http://127.0.0.1.evil.example:${port}`,
  ]
}

describe.each<[string, Record<string, string>]>([
  ['at its own address', {}],
  ['behind a public address', { RSVP_ACCESS: 'open', PUBLIC_URL: SECURE }],
])('a site %s', (_, variables) => {
  describeInBothModes(
    'a change that another site asks for',
    (site, guarded) => {
      const own = () => variables.PUBLIC_URL ?? site().url

      /** Expects a 403, and no row changed. */
      async function expectRefused([call, json]: [string, unknown?], headers: Record<string, string>[]): Promise<void> {
        const before = rowsByTable(site())
        for (const caller of [site(), asVisitor(site())]) {
          for (const sent of headers) {
            const reply = await ask(caller, call, { body: JSON.stringify(json) ?? '', headers: sent })
            expectProblem(reply, 403)
            expect(reply.headers).not.toHaveProperty('set-cookie')
          }
        }
        expect(rowsByTable(site())).toEqual(before)
      }

      it('has something to change', async () => {
        for (const name of ['Ana Cole', 'Ben Cole']) {
          expect((await ask(site(), 'POST /api/rsvp', { json: testRsvp({ name }) })).status).toBe(201)
        }
        expect((await ask(site(), 'DELETE /api/rsvps/2')).status).toBe(204)
      })

      it.each(CALLS)('%s is refused from every origin, and with every content type', async (...call) => {
        const [first = '', ...others] = foreignOrigins(site())
        const typed = TYPES.map((type) => ({ origin: first, ...(type && { 'content-type': type }) }))
        await expectRefused(call, [
          ...typed,
          ...others.map((origin) => ({ origin, 'content-type': 'application/json' })),
        ])
      })

      it('is refused from every origin with every content type', async () => {
        const headers = foreignOrigins(site()).flatMap((origin) =>
          TYPES.map((type) => ({ origin, ...(type && { 'content-type': type }) })),
        )
        await expectRefused(['POST /api/rsvp', testRsvp()], headers)
      })

      it.each(['cross-site', 'same-site', 'CROSS-SITE', 'nonsense'])(
        'is refused when the browser says %s',
        async (fetchSite) => {
          const headers = { 'sec-fetch-site': fetchSite, origin: own(), 'content-type': 'application/json' }
          for (const call of CALLS) await expectRefused(call, [headers])
        },
      )

      it.each<[string, (own: string) => string]>([
        ['two origins', (origin) => `${origin}, https://evil.example`],
        ['ours within a longer name', (origin) => `${origin}.evil.example`],
        ['ours as a user', (origin) => `${origin}@evil.example`],
        ['nothing', () => ''],
      ])('is refused when it names %s', async (_name, disguise) => {
        const headers = { origin: disguise(own()), 'content-type': 'application/json' }
        for (const call of CALLS) await expectRefused(call, [headers])
      })

      it('is no other site when the origin is ours, or when nothing is said', async () => {
        const said: Record<string, string>[] = [
          { origin: own(), 'sec-fetch-site': 'same-origin' },
          { 'sec-fetch-site': 'none' },
          {},
        ]
        for (const headers of said) {
          expect((await ask(asVisitor(site()), 'POST /api/rsvp', { json: testRsvp(), headers })).status).toBe(201)
          expect((await ask(site(), 'PATCH /api/features', { json: { familyRsvp: true }, headers })).status).toBe(200)
          const signedIn = await ask(asVisitor(site()), 'POST /api/session', { json: { password: PASSWORD }, headers })
          expect(signedIn.status).toBe(guarded ? 204 : 404)
        }
      })
    },
    variables,
  )
})

describeInBothModes(
  'behind a public address',
  (site) => {
    it('compares the origin with that address, whatever the Host says', async () => {
      const host = new URL(SECURE).host
      const own = { origin: SECURE, host }
      expect((await ask(site(), 'POST /api/rsvp', { json: testRsvp(), headers: own })).status).toBe(201)
      const foreign: Record<string, string>[] = [
        { origin: SECURE.replace('https', 'http'), host },
        { origin: `${SECURE}:8443`, host },
        { origin: site().url },
      ]
      for (const headers of foreign)
        expectProblem(await ask(site(), 'POST /api/rsvp', { json: testRsvp(), headers }), 403)
      await expectUnharmed(site(), 1)
    })
  },
  { RSVP_ACCESS: 'open', PUBLIC_URL: SECURE },
)
