import { describe, expect, it } from 'vitest'
import { testEvent, testRsvp } from '#db/fixtures.ts'
import { ask, expectProblem, type Site } from '#site/scenarios/fixtures.ts'
import { asVisitor, describeInBothModes, PASSWORD, rowsByTable } from '#site/scenarios/guarded-fixtures.ts'

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
const SECURE = 'https://rsvp.example.org'

describe.each<[string, Record<string, string>]>([
  ['at its own address', {}],
  ['behind a public address', { RSVP_ACCESS: 'open', PUBLIC_URL: SECURE }],
])('a site %s', (_, variables) => {
  describeInBothModes(
    'a change that another site asks for',
    (site, guarded) => {
      const own = () => variables.PUBLIC_URL ?? site().url

      async function expectRefused(headers: Record<string, string>): Promise<void> {
        for (const caller of [site(), asVisitor(site())])
          for (const [call, json] of CALLS) {
            const reply = await ask(caller, call, { body: JSON.stringify(json) ?? '', headers })
            expectProblem(reply, 403)
            expect(reply.headers).not.toHaveProperty('set-cookie')
          }
      }

      it('is refused, and changes nothing', async () => {
        expect((await ask(site(), 'POST /api/rsvp', { json: testRsvp() })).status).toBe(201)
        const before = rowsByTable(site())
        const port = Number(new URL(site().url).port)
        const origins = [
          'null',
          'https://evil.example',
          `http://127.0.0.1:${port - 1}`,
          `http://localhost:${port}`,
          `http://127.0.0.1.evil.example:${port}`,
          ...(variables.PUBLIC_URL ? [`${SECURE}:8443`, SECURE.replace('https', 'http'), site().url] : []),
          `${own()}, https://evil.example`,
          `${own()}.evil.example`,
          `${own()}@evil.example`,
          '',
        ]
        for (const origin of origins) await expectRefused({ origin, 'content-type': 'application/json' })
        for (const type of TYPES) await expectRefused({ origin: 'https://evil.example', 'content-type': type })
        for (const said of ['cross-site', 'same-site', 'CROSS-SITE', 'nonsense'])
          await expectRefused({ 'sec-fetch-site': said, origin: own(), 'content-type': 'application/json' })
        expect(rowsByTable(site())).toEqual(before)
      })

      it.each<[string, (own: string) => Record<string, string>]>([
        ['the origin is ours', (origin) => ({ origin, 'sec-fetch-site': 'same-origin' })],
        ['a person typed the address', () => ({ 'sec-fetch-site': 'none' })],
        ['nothing is said', () => ({})],
      ])('is none where %s', async (_name, said) => {
        const headers = said(own())
        expect((await ask(asVisitor(site()), 'POST /api/rsvp', { json: testRsvp(), headers })).status).toBe(201)
        expect((await ask(site(), 'PATCH /api/features', { json: { familyRsvp: true }, headers })).status).toBe(200)
        const signedIn = await ask(asVisitor(site()), 'POST /api/session', { json: { password: PASSWORD }, headers })
        expect(signedIn.status).toBe(guarded ? 204 : 404)
      })
    },
    variables,
  )
})

/** Links lead here from everywhere. */
describeInBothModes('whoever follows a link', (site: () => Site, guarded) => {
  it.each<Record<string, string>>([
    { referer: 'https://mail.example/' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: 'https://evil.example' },
    { origin: 'null' },
  ])('reads what is public of a guarded site, with %o', async (headers) => {
    expect((await ask(asVisitor(site()), 'GET /share', { headers })).status).toBe(guarded ? 200 : 421)
    expect((await ask(asVisitor(site()), 'GET /admin', { headers })).status).toBe(guarded ? 401 : 421)
  })
})
