import { existsSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { hashOfToken, newToken } from '#db/access/tokens.ts'
import { eventually } from '#site/scenarios/faults/fixtures.ts'
import {
  ask,
  cookieFor,
  expectProblem,
  ownSite,
  runRsvp,
  type Sent,
  type Site,
  spawnServer,
  storedRsvps,
} from '#site/scenarios/fixtures.ts'
import { cookieOf, guardedSite, inSiteDatabase, PASSWORD, signIn, storeRow } from '#site/scenarios/guarded-fixtures.ts'
import { testRsvp } from '#testing/database-fixtures.ts'

const password = 'four strange horses walk'
const ruth = { name: 'Ruth Cole', email: 'ruth@cole.example', password }

/** As another machine reaches it: the peer's address is not that of this computer. */
function fromNetwork(site: Site): Site {
  const found = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  const address = found.find(({ family, internal }) => family === 'IPv4' && !internal)?.address
  if (address === undefined) throw new Error('This machine has no network.')
  return { ...site, url: site.url.replace('127.0.0.1', address) }
}

const modeOf = async (site: Site) => JSON.parse((await ask(site, 'GET /api/session')).body).mode

describe('an open site in a network', () => {
  const site = ownSite({ HOST: '0.0.0.0', RSVP_ACCESS: 'open', LOG_LEVEL: 'trace' })
  const guard = (from: Site, sent: Sent = {}) => ask(from, 'POST /api/guard', { json: ruth, ...sent })

  it('is not guarded from another computer', async () => {
    const network = fromNetwork(site())
    for (const [from, offers] of [[site(), true] as const, [network, false] as const])
      expect((await ask(from, 'GET /guard')).body.includes('name="password"')).toBe(offers)
    for (const more of [{}, { isHere: true }, { network: '127.0.0.1' }])
      expectProblem(await guard(network, { json: { ...ruth, ...more } }), 403)
    // Which requests come from the computer itself is decided by the guard, whose test has them all.
    expectProblem(await guard(site(), { headers: { 'x-forwarded-for': '127.0.0.1' } }), 403)
    expect(await modeOf(site())).toBe('open')
    expect(site().output()).toContain('To guard it, run `npx rsvp password` on this computer.')
  })

  it('is guarded once, and says nothing of the password in its log', async () => {
    const refused = await ask(site(), 'POST /api/guard', { form: { ...ruth, name: 'R' } })
    expect(refused.status).toBe(400)
    expect(refused.body).toContain('value="ruth@cole.example"')
    expect(refused.body).not.toContain(password)
    const done = await ask(site(), 'POST /api/guard', { form: ruth })
    expect(done).toMatchObject({ status: 303, headers: { location: '/admin' } })
    const cookie = cookieOf(done)
    expect((await ask(site(), 'GET /admin', { headers: { cookie } })).status).toBe(200)
    expect((await ask(site(), 'GET /admin')).status).toBe(401)
    expectProblem(await guard(site()), 409)
    expect(await ask(site(), 'GET /guard')).toMatchObject({ status: 303, headers: { location: '/admin' } })
    expect(site().output()).not.toContain(password)
  })
})

describe('an invitation link', () => {
  const site = guardedSite({ LOG_LEVEL: 'trace' })
  const key = newToken()
  const invited = { name: 'Bea <Cole>', email: 'bea@cole.example', role: 'reader', created_at: 0 }

  it('opens at once into a cookie for its page and its call alone, which accept it once', async () => {
    const invitation = { invitation_hash: hashOfToken(key), invitation_ends_at: Date.now() + 60_000 }
    storeRow(site(), 'administrators', { ...invited, ...invitation })
    const kept = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
    const slashed = await ask(site(), `GET /invitation/?key=${key}`)
    expect(slashed).toMatchObject({ status: 301, headers: { location: `/invitation?key=${key}`, ...kept } })
    const opened = await ask(site(), `GET /invitation?key=${key}`)
    expect(opened).toMatchObject({ status: 303, headers: { location: '/invitation', ...kept } })
    expect(opened.headers['set-cookie']).toEqual(
      ['/invitation', '/api/invitation'].map(
        (own) => `rsvp-invitation=${key}; Max-Age=43200; Path=${own}; HttpOnly; SameSite=Lax`,
      ),
    )
    const headers = { cookie: cookieFor('/invitation', opened) }
    const page = await ask(site(), 'GET /invitation', { headers })
    expect(page).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    expect(page.body).toContain('<bdi>Bea &lt;Cole&gt;</bdi>')
    const post = (form: Record<string, string>) => ask(site(), 'POST /api/invitation', { form, headers })
    expect((await post({ password: 'password1234' })).body).toContain('Guessers try this password first.')
    const accepted = await post({ password })
    expect(accepted).toMatchObject({ status: 303, headers: { location: '/admin' } })
    const session = await ask(site(), 'GET /api/session', { headers: { cookie: cookieOf(accepted) } })
    expect(JSON.parse(session.body)).toEqual({ mode: 'guarded', signedIn: true })
  })

  it('that was used, is damaged or is missing says whom to ask, and stands in no log', async () => {
    const used = { cookie: `rsvp-invitation=${key}` }
    for (const headers of [used, { cookie: 'rsvp-invitation=x' }, undefined]) {
      const page = await ask(site(), 'GET /invitation', { ...(headers && { headers }) })
      expect(page.status).toBe(410)
      expect(page.body).toContain('Ask an owner of this site for a new link.')
    }
    expect((await ask(site(), 'POST /api/invitation', { form: { password }, headers: used })).status).toBe(410)
    expectProblem(await ask(site(), 'POST /api/invitation', { json: { key, password } }), 410)
    const cut = await ask(site(), `GET /invitation?key=${key.slice(1)}`)
    expect(cut).toMatchObject({ status: 303, headers: { location: '/invitation?incomplete' } })
    expect(cut.headers).not.toHaveProperty('set-cookie')
    expect((await ask(site(), 'GET /invitation?incomplete', { headers: used })).body).toContain(
      'This link is incomplete.',
    )
    expect(cookieFor('/invitation', await ask(site(), `GET /invitation?key=${key}).`))).toBe(`rsvp-invitation=${key}`)
    expect(site().output()).not.toContain(key)
  })
})

describe('a server that runs in open mode', () => {
  const site = ownSite()

  // Which addresses others can reach is decided in db/access, whose test has them all.
  it('does not start where others can reach it', async () => {
    const missing = join(site().folder, 'never', 'rsvp.db')
    const { ended, printed } = spawnServer({ HOST: '0.0.0.0', PORT: '0', DATABASE_URL: `file:${missing}` })
    expect(await ended).toEqual({ code: 78 })
    expect(printed).toEqual({
      stdout: '',
      stderr:
        'HOST=0.0.0.0 can be reached from other machines, and no admin password is set. Set one with `npx rsvp password`,\n' +
        'or set RSVP_ACCESS=open if everyone who can reach this address may administer the site.\n',
    })
    expect(existsSync(join(site().folder, 'never'))).toBe(false)
  })

  it('is guarded once a password is set, serves the network, and stays so whatever becomes of it', async () => {
    await ask(site(), 'POST /api/rsvp', { json: testRsvp() })
    expect(await modeOf(site())).toBe('open')
    expect(await storedRsvps(site())).toMatchObject([{ email: 'ana@cole.example' }])
    const remote = { headers: { host: 'church.local', 'x-forwarded-for': '192.168.1.9' } }
    expect((await ask(site(), 'GET /share', remote)).status).toBe(421)
    await runRsvp(site(), ['password'], PASSWORD)
    const expectGuarded = async () => {
      expect((await ask(site(), 'GET /api/rsvps')).body).not.toContain('ana@cole.example')
      for (const call of ['GET /admin', 'DELETE /api/rsvps/1']) expect((await ask(site(), call)).status).toBe(401)
      expect(await modeOf(site())).toBe('guarded')
    }
    await expectGuarded()
    // A busy database delays no page: the mode that the server reads applies to the next request.
    await eventually(async () => expect((await ask(site(), 'GET /share', remote)).status).toBe(200))
    const cookie = await signIn(site())
    expect(await storedRsvps(site(), { cookie })).toHaveLength(1)

    inSiteDatabase(site(), (database) => database.exec('DELETE FROM administrators'))
    // Longer than the result of a lookup is cached.
    await wait(1100)
    await expectGuarded()
    expect(await storedRsvps(site(), { cookie })).toHaveLength(1)
  })
})
