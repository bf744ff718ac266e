import { beforeAll, expect, it, vi } from 'vitest'
import { testEvent } from '#db/fixtures.ts'
import { ask, expectUnharmed, type Site } from '#site/scenarios/fixtures.ts'
import { KEPT_PATHS } from '#site/scenarios/kept-pages/fixtures.ts'
import { asVisitor, describeInBothModes } from '#site/scenarios/guarded-fixtures.ts'

// No personal data belongs in a log: no name, address or message. Every text that is sent holds its own canary.
let canaries = 0
const canary = (where: string) => `Canary${++canaries}${where}`

describeInBothModes('the log at its most talkative', keepsQuiet, { LOG_LEVEL: 'trace' })

function keepsQuiet(site: () => Site, guarded: boolean): void {
  let printed = ''
  beforeAll(() => {
    printed = site().output()
  })

  /** What was logged since the last look. */
  function logged(): string {
    const news = site().output().slice(printed.length)
    printed = site().output()
    return news
  }

  const whole = () => ({
    name: canary('Name'),
    email: `${canary('email')}@b.example`,
    phone: canary('Phone'),
    message: canary('Message'),
    attending: true,
    familyMembers: [{ name: canary('Member') }],
    volunteerRoles: [1],
  })
  const form = (fields: Record<string, string>) => ({
    body: String(new URLSearchParams(fields)),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

  it.each<[string, number, string, () => Parameters<typeof ask>[2]]>([
    [
      'a response',
      201,
      'POST /api/rsvp',
      () => ({
        json: whole(),
        headers: { 'idempotency-key': canary('Key'), 'user-agent': canary('Agent'), cookie: `c=${canary('Cookie')}` },
      }),
    ],
    [
      'a response whose key is no key',
      400,
      'POST /api/rsvp',
      () => ({ json: whole(), headers: { 'idempotency-key': `${canary('Key')} x` } }),
    ],
    [
      'a form',
      303,
      'POST /api/rsvp',
      () =>
        form({
          name: canary('Name'),
          email: `${canary('email')}@b.example`,
          message: canary('Text'),
          attending: 'true',
        }),
    ],
    [
      'half a response',
      400,
      'POST /api/rsvp',
      () => ({ body: JSON.stringify(whole()).slice(0, -5), headers: { 'content-type': 'application/json' } }),
    ],
    [
      'a response of the wrong type',
      415,
      'POST /api/rsvp',
      () => ({ body: JSON.stringify(whole()), headers: { 'content-type': 'text/plain' } }),
    ],
    [
      'a packed response',
      415,
      'POST /api/rsvp',
      () => ({ json: whole(), headers: { 'content-encoding': canary('Encoding') } }),
    ],
    [
      'a response that is too large',
      413,
      'POST /api/rsvp',
      () => ({ json: { ...whole(), filler: 'x'.repeat(70_000) } }),
    ],
    ...[
      'name',
      'email',
      'phone',
      'message',
      'attending',
      'calendarType',
      'familyMembers',
      'volunteerRoles',
      'addToCalendar',
    ].map((field): [string, number, string, () => Parameters<typeof ask>[2]] => [
      `a wrong ${field}`,
      400,
      'POST /api/rsvp',
      () => ({
        json: { ...whole(), [field]: [{ [canary('Key')]: `${canary('Value')}\0`, name: `${canary('Name')}\0` }] },
      }),
    ]),
    ['an unknown feature', 400, 'PATCH /api/features', () => ({ json: { [canary('Feature')]: true } })],
    ['an event', 200, 'POST /api/event', () => ({ json: testEvent({ title: canary('Title') }) })],
    ['an event with NUL', 400, 'POST /api/event', () => ({ json: testEvent({ title: `${canary('Title')}\0` }) })],
    ['a role', 201, 'POST /api/volunteer-roles', () => ({ json: { name: canary('Role') } })],
    [
      'a foreign origin',
      403,
      'POST /api/rsvp',
      () => ({ json: whole(), headers: { origin: `https://${canary('origin')}.example` } }),
    ],
    ['a foreign host', 421, 'GET /share', () => ({ headers: { host: `${canary('host')}.example` } })],
    ['a proxy', guarded ? 200 : 421, 'GET /share', () => ({ headers: { 'x-forwarded-for': canary('Address') } })],
    [
      'a cookie',
      200,
      'GET /share',
      () => ({ headers: { 'user-agent': canary('Agent'), cookie: `rsvp-session=${canary('Cookie')}` } }),
    ],
    ['an unknown setting', 400, 'PATCH /api/settings', () => ({ json: { [canary('Setting')]: canary('Value') } })],
    ['an unknown choice of names', 400, 'PATCH /api/settings', () => ({ json: { publicNames: canary('Value') } })],
    ['a wrong password', guarded ? 401 : 404, 'POST /api/session', () => ({ json: { password: canary('Password') } })],
    [
      'a password that is too long',
      400,
      'POST /api/session',
      () => ({ json: { password: canary('Password').repeat(20) } }),
    ],
    [
      'a password in the wrong field',
      400,
      'POST /api/session',
      () => ({ json: { [canary('Field')]: canary('Password') } }),
    ],
    [
      'half a password',
      400,
      'POST /api/session',
      () => ({ body: `{"password":"${canary('Password')}`, headers: { 'content-type': 'application/json' } }),
    ],
    ['a password in the form', guarded ? 401 : 404, 'POST /api/session', () => form({ password: canary('Password') })],
    ['a password in the address', 415, 'POST /api/session?password=CanaryPassword', () => ({})],
    ['an email in a query', 200, 'GET /api/rsvps?email=canary@b.example', () => ({})],
  ])('and the reply reveal nothing of %s', async (_, status, call, request) => {
    const reply = await ask(site(), call, request())
    expect(reply.status).toBe(status)
    // The reply repeats the event and the role to the administrator who sent them.
    if (status !== 200 && status !== 201) expect(reply.body + JSON.stringify(reply.headers)).not.toMatch(/canary/i)
    expect(logged()).not.toMatch(/canary/i)
  })

  it('reveals nothing of a form that comes back with everything still in it', async () => {
    const reply = await ask(
      site(),
      'POST /api/rsvp',
      form({ name: canary('Name'), email: canary('NoEmail'), message: canary('Text') }),
    )
    expect(reply.status).toBe(400)
    expect(reply.body.match(/Canary/g)?.length).toBeGreaterThan(2)
    expect(logged()).not.toMatch(/canary/i)
  })

  it.each(KEPT_PATHS)('says which page was read, also from memory: %s', async (path) => {
    const served = () => site().output().split(`"method":"GET","route":"${path}","status":200`).length
    const before = served()
    for (let asked = 0; asked < 3; asked += 1) expect((await ask(asVisitor(site()), `GET ${path}`)).status).toBe(200)
    // A line is written after its reply.
    await vi.waitFor(() => expect(served()).toBeGreaterThanOrEqual(before + 3))
  })

  it('did log what was called and how it went', async () => {
    await expectUnharmed(site(), 2)
    expect(site().output()).toMatch(/"method":"POST","route":"\/api\/rsvp","status":201/)
    expect(site().output()).not.toMatch(/canary/i)
    expect(canaries).toBeGreaterThan(60)
  })
}
