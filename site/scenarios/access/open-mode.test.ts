import { describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { ask, expectProblem, expectUnharmed, spawnServer, testSite } from '#site/scenarios/fixtures.ts'

const FORWARDING = [
  'Forwarded',
  'Via',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'X-Real-IP',
  'X-Client-IP',
  'True-Client-IP',
  'CF-Connecting-IP',
  'X-Original-URL',
  'X-Forwarded',
  'Forwarded-For',
  'X-Cluster-Client-IP',
  'CDN-Loop',
  'CF-Ray',
  'Fastly-Client-IP',
  'X-Envoy-External-Address',
  'X-Azure-ClientIP',
]

describe('open mode on this computer', () => {
  const site = testSite()

  it.each([...FORWARDING, 'x-forwarded-anything'])('refuses what came through a proxy: %s', async (name) => {
    for (const call of ['GET /admin', 'GET /share', 'GET /api/rsvps', 'GET /favicon.svg', 'POST /api/rsvp'])
      expectProblem(await ask(site(), call, { headers: { [name]: '127.0.0.1' } }), 421)
    await expectUnharmed(site(), 0)
  })

  it('says what to do', async () => {
    const { body } = await ask(site(), 'GET /admin', { headers: { host: 'rsvp.example.org' } })
    expect(JSON.parse(body).detail).toBe(
      'In open mode this site answers only on this computer, at http://localhost. To share it, set a password with `npx rsvp password`.',
    )
  })

  it.each<Record<string, string>>([
    { referer: 'https://evil.example/' },
    { referer: 'not an address' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { host: 'rsvp.example.org' },
    { host: '127.0.0.2' },
    { host: '127.1' },
    { host: '0.0.0.0' },
    { host: 'LOCALHOST' },
    { host: 'localhost.' },
    { host: '[::2]' },
    { host: '2130706433' },
  ])('reads nothing out to %o', async (headers) => {
    for (const call of ['GET /admin', 'GET /api/rsvps', 'HEAD /api/rsvps', 'OPTIONS /api/rsvps', 'TRACE /admin'])
      expect(await ask(site(), call, { headers })).toMatchObject({
        status: 421,
        body: call.startsWith('HEAD') ? '' : expect.stringContaining('open mode'),
      })
  })

  it.each<Record<string, string>>([
    {},
    { host: 'localhost' },
    { host: 'localhost:1234' },
    { host: '127.0.0.1' },
    { host: '[::1]:80' },
    { 'sec-fetch-site': 'none' },
  ])('serves %o', async (headers) => {
    expect((await ask(site(), 'GET /admin', { headers })).status).toBe(200)
    const referer = `http://${headers.host ?? new URL(site().url).host}/share`
    expect((await ask(site(), 'GET /admin', { headers: { ...headers, referer } })).status).toBe(200)
  })
})

describe('open mode for a network', () => {
  const site = testSite({ HOST: '0.0.0.0', RSVP_ACCESS: 'open' })

  it('serves whoever reaches it', async () => {
    const visitors: Record<string, string>[] = [
      { host: 'church.local:4321' },
      { host: '192.168.1.20' },
      { 'x-forwarded-for': '192.168.1.9' },
      { referer: 'https://mail.example/' },
      { 'sec-fetch-site': 'cross-site' },
    ]
    for (const headers of visitors) {
      expect((await ask(site(), 'GET /admin', { headers })).status).toBe(200)
    }
    expect(
      (
        await ask(site(), 'POST /api/rsvp', {
          json: testRsvp(),
          headers: { host: 'church.local:4321', origin: 'http://church.local:4321' },
        })
      ).status,
    ).toBe(201)
    await expectUnharmed(site(), 1)
  })

  it.each(['localhost/admin?', 'a b', '1.2.3.4.5', 'me@church.local', 'church.local:99999', 'x..y:a', '[::g]'])(
    'refuses the Host "%s"',
    async (host) => {
      expectProblem(await ask(site(), 'GET /share', { headers: { host } }), 400)
      await expectUnharmed(site(), 1)
    },
  )
})

describe('an address that others can reach, without a password', () => {
  it('is refused as PUBLIC_URL as well: no visitor could use it', async () => {
    const { printed, ended } = spawnServer({
      PUBLIC_URL: 'https://rsvp.example.org',
      DATABASE_URL: 'file:/nonexistent/x.db',
    })
    expect(await ended).toEqual({ code: 78 })
    expect(printed.stderr).toMatch(/^PUBLIC_URL=https:\/\/rsvp\.example\.org can be reached/)
  })

  it.each([
    '0.0.0.0',
    '::',
    '192.168.1.20',
    'church.local',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '127.evil',
  ])('HOST=%s ends with 78 and two lines', async (HOST) => {
    const { ended, printed } = spawnServer({ HOST, PORT: '0', DATABASE_URL: 'file:/nonexistent/never-opened.db' })
    expect(await ended).toEqual({ code: 78 })
    expect(printed).toEqual({
      stdout: '',
      stderr:
        `HOST=${HOST} can be reached from other machines, and no admin password is set. Set one with \`npx rsvp password\`,\n` +
        'or set RSVP_ACCESS=open if everyone who can reach this address may administer the site.\n',
    })
  })
})
