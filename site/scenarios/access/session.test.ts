import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ask, expectProblem, type Site, testSite } from '#site/scenarios/fixtures.ts'
import {
  cookieOf,
  deviceOf,
  guardedSite,
  inSiteDatabase,
  PASSWORD,
  rowsByTable,
  setPassword,
  signIn,
} from '#site/scenarios/guarded-fixtures.ts'
import { startBuiltServer } from '../../../scripts/testing/built-server.mjs'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const forged = randomBytes(32).toString('base64url')

const site = guardedSite()

function tokenOf(cookie: string): string {
  return cookie.slice(cookie.indexOf('=') + 1)
}

/** Makes the latest session as old as a test wants it, in ms. */
function age({ created, used }: { created: number; used: number }): void {
  inSiteDatabase(site(), (database) => {
    const latest = 'WHERE id = (SELECT max(id) FROM sessions)'
    const now = Date.now()
    database.prepare(`UPDATE sessions SET created_at = ?, used_at = ? ${latest}`).run(now - created, now - used)
  })
}

async function isSignedIn(at: Site, cookie: string): Promise<boolean> {
  const { status } = await ask(at, 'GET /api/settings', { headers: { cookie } })
  const { body } = await ask(at, 'GET /api/session', { headers: { cookie } })
  expect(JSON.parse(body)).toEqual({ mode: 'guarded', signedIn: status === 200 })
  return status === 200
}

describe('a cookie', () => {
  const cleared = 'rsvp-session=deleted; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Strict'

  it('is for this host, for no script and for no other site, for twelve hours', async () => {
    const { headers } = await ask(site(), 'POST /api/session', { json: { password: PASSWORD } })
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(/^rsvp-session=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/),
      // By which the browser is known for 90 days; it opens nothing.
      expect.stringMatching(/^rsvp-device=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Strict$/),
    ])
    expect(headers['cache-control']).toBe('no-store')
  })

  it('holds what is not stored: only its SHA-256 is', async () => {
    const reply = await ask(site(), 'POST /api/session', { json: { password: PASSWORD } })
    const stored = JSON.stringify(rowsByTable(site()))
    for (const token of [tokenOf(cookieOf(reply)), tokenOf(deviceOf(reply))]) {
      expect(stored).toContain(createHash('sha256').update(token).digest('hex'))
      expect(stored).not.toContain(token)
    }
  })

  it.each<[string, () => Promise<string> | string]>([
    ['forged', () => `rsvp-session=${forged}`],
    ['of no shape', () => 'rsvp-session=%00%ff'],
    ['cut', async () => (await signIn(site())).slice(0, -1)],
    ['longer', async () => `${await signIn(site())}A`],
    ['not used for three hours', () => agedCookie({ created: 4 * HOUR, used: 3 * HOUR })],
    ['twelve hours old', () => agedCookie({ created: 12 * HOUR, used: 0 })],
    [
      'from before signing out',
      async () => {
        const cookie = await signIn(site())
        expect(await ask(site(), 'DELETE /api/session', { headers: { cookie } })).toMatchObject({
          status: 204,
          body: '',
        })
        return cookie
      },
    ],
    [
      'from before the password changed',
      async () => {
        const cookie = await signIn(site())
        await setPassword(site(), 'another one for a moment')
        await setPassword(site(), PASSWORD)
        return cookie
      },
    ],
  ])('that is %s gives no access and is cleared', async (_, make) => {
    const cookie = await make()
    for (const call of ['GET /admin', 'GET /api/settings', 'GET /api/rsvps/download', 'DELETE /api/rsvps/1']) {
      const reply = await ask(site(), call, { headers: { cookie } })
      expect(reply.status).toBe(401)
      expect(reply.headers['set-cookie']).toEqual([cleared])
      if (!call.endsWith('/admin')) expectProblem(reply, 401)
    }
    const shown = await ask(site(), 'GET /share', { headers: { cookie } })
    expect(shown.status).toBe(200)
    expect(shown.headers['set-cookie']).toEqual([cleared])
    expect(await isSignedIn(site(), cookie)).toBe(false)
  })

  it.each([
    ['has not been used for nearly three hours', { created: 4 * HOUR, used: 3 * HOUR - MINUTE }],
    ['is nearly twelve hours old', { created: 12 * HOUR - MINUTE, used: 0 }],
  ])('that %s is still good, and stays as it is', async (_, ages) => {
    const cookie = await agedCookie(ages)
    const reply = await ask(site(), 'GET /api/settings', { headers: { cookie } })
    expect(reply.status).toBe(200)
    expect(reply.headers['set-cookie']).toBeUndefined()
  })

  it('that is used lasts longer, and is written down once a minute', async () => {
    const latestUse = () =>
      inSiteDatabase(
        site(),
        (database) => database.prepare('SELECT used_at FROM sessions ORDER BY id DESC').get()?.used_at,
      )
    const cookie = await agedCookie({ created: HOUR, used: 2 * MINUTE })
    expect(await isSignedIn(site(), cookie)).toBe(true)
    const noted = latestUse()
    expect(noted).toBeGreaterThan(Date.now() - MINUTE)
    expect(await isSignedIn(site(), cookie)).toBe(true)
    expect(latestUse()).toBe(noted)
  })

  async function agedCookie(ages: { created: number; used: number }): Promise<string> {
    const cookie = await signIn(site())
    age(ages)
    return cookie
  }

  it.each([
    ['of an old session', () => signIn(site())],
    ['that an attacker set', () => `rsvp-session=${forged}`],
  ])('%s is replaced at sign-in', async (_, make) => {
    const old = await make()
    const cookie = await signIn(site(), { headers: { cookie: old } })
    expect(cookie).not.toBe(old)
    expect(await isSignedIn(site(), old)).toBe(false)
    expect(await isSignedIn(site(), cookie)).toBe(true)
  })

  it('is cleared at sign-out, with or without a session, and only that session ends', async () => {
    const [one, other] = [await signIn(site()), await signIn(site())]
    for (const cookie of [[], [one], [one]]) {
      const headers = Object.fromEntries(cookie.map((sent) => ['cookie', sent]))
      const reply = await ask(site(), 'DELETE /api/session', { headers })
      expect(reply).toMatchObject({ status: 204, body: '' })
      expect(reply.headers['set-cookie']).toEqual([cleared])
    }
    expect(await isSignedIn(site(), one)).toBe(false)
    expect(await isSignedIn(site(), other)).toBe(true)
  })
})

describe('a cookie of a site at https', () => {
  const secure = guardedSite({ PUBLIC_URL: 'https://rsvp.example.org' })
  const host = 'rsvp.example.org'

  it('is bound to this very host, and never sent in the clear', async () => {
    const reply = await ask(secure(), 'POST /api/session', { json: { password: PASSWORD }, headers: { host } })
    const attributes = reply.headers['set-cookie']?.map((set) => set.split('; ').toSorted())
    const all = ['HttpOnly', 'Path=/', 'SameSite=Strict', 'Secure']
    expect(attributes).toEqual([
      [all[0], 'Max-Age=43200', ...all.slice(1), expect.stringMatching(/^__Host-rsvp-session=[\w-]{43}$/)],
      [all[0], 'Max-Age=7776000', ...all.slice(1), expect.stringMatching(/^__Host-rsvp-device=[\w-]{43}$/)],
    ])
    const cookie = cookieOf(reply)
    expect(await isSignedIn(secure(), cookie)).toBe(true)
    expect(await isSignedIn(secure(), cookie.replace('__Host-', ''))).toBe(false)
  })

  it('is cleared with the same name and attributes', async () => {
    const cookie = `__Host-rsvp-session=${forged}`
    const { status, headers } = await ask(secure(), 'GET /admin', { headers: { host, cookie } })
    expect(status).toBe(401)
    expect(headers['set-cookie']).toEqual([
      '__Host-rsvp-session=deleted; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Strict',
    ])
  })
})

describe('two servers on one database', () => {
  let second: Site
  const servers: Site[] = []
  const start = async (password: string) => {
    const started = await startBuiltServer({
      DATABASE_URL: `file:${join(site().folder, 'rsvp.db')}`,
      ADMIN_PASSWORD: password,
    })
    servers.push(started)
    return started
  }

  beforeAll(async () => {
    second = await start(PASSWORD)
    return async () => {
      for (const server of servers) await server.stop()
    }
  })

  it('accept a session from either, and reject it after signing out at either', async () => {
    const cookie = await signIn(site())
    expect(await isSignedIn(second, cookie)).toBe(true)
    await ask(second, 'DELETE /api/session', { headers: { cookie } })
    expect(await isSignedIn(site(), cookie)).toBe(false)
  })

  it('keep the sessions when one starts again, and end them all when it starts with another password', async () => {
    const cookie = await signIn(second)
    await start(PASSWORD)
    expect(await isSignedIn(site(), cookie)).toBe(true)
    await start('a new password for all')
    expect(await isSignedIn(site(), cookie)).toBe(false)
    expect((await ask(second, 'POST /api/session', { json: { password: PASSWORD } })).status).toBe(401)
    await signIn(site(), { password: 'a new password for all' })
  })
})

describe('a session in open mode', () => {
  const open = testSite()

  it('is not needed, and cannot be had', async () => {
    const headers = { cookie: `rsvp-session=${forged}` }
    expect(JSON.parse((await ask(open(), 'GET /api/session', { headers })).body)).toEqual({
      mode: 'open',
      signedIn: false,
    })
    expect((await ask(open(), 'GET /admin', { headers })).status).toBe(200)
    expectProblem(await ask(open(), 'POST /api/session', { json: { password: PASSWORD } }), 404)
    expect((await ask(open(), 'DELETE /api/session', { headers })).status).toBe(204)
  })
})
