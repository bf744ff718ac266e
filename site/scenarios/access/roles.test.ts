import { beforeAll, describe, expect, it } from 'vitest'
import { roles } from '#db/values/roles.ts'
import type { CallDescription } from '#site/call-description.ts'
import { calls } from '#site/calls.ts'
import { ask, type Reply } from '#site/scenarios/fixtures.ts'
import { guardedSite, inSiteDatabase, signIn, storeRow } from '#site/scenarios/guarded-fixtures.ts'
import { addressOf, builtRoutes, isRefused } from '#site/scenarios/route-fixtures.ts'
import { accessTable, accessTo, methodsOf } from '#site/server/access/access.ts'
import { testPassword, testPasswordHash } from '#testing/database-fixtures.ts'

const callers = [...roles, 'visitor'] as const
/** `ticked`: a reader who sees contact data. */
type Caller = (typeof callers)[number] | 'ticked'

/** What only those may read who see contact data. */
const canaries = { email: 'kanarie-email@example.org', phone: 'kanarie-phone', message: 'kanarie-message' }
const CANARY = /kanarie/i
/** What no one is ever sent, an owner included. */
const SECRET = /\$scrypt\$|verborgen/i

const routes = builtRoutes.filter((route) => accessTable[route] !== undefined && accessTable[route] !== 'any')
const needingProof = Object.entries<CallDescription>(calls).flatMap(([name, { needsProof }]) =>
  needsProof && routes.includes(name.split(' ')[1] ?? '') ? [name] : [],
)

describe('a guarded site with an owner, a clerk and a reader', () => {
  const site = guardedSite()
  const cookies: Partial<Record<Caller, string>> = {}
  let sessions: Record<string, string | number | null>[] = []

  beforeAll(async () => {
    for (const name of ['Ana Cole', 'Ben Cole'])
      await ask(site(), 'POST /api/rsvp', { json: { name, attending: true, ...canaries } })
    for (const name of [...roles, 'ticked'] as const) {
      const email = `${name}@cole.example`
      const ways = { prayers: 'pastor', password_hash: testPasswordHash, created_at: 0 }
      const may = name === 'ticked' ? { role: 'reader', sees_contacts: 1 } : { role: name, sees_contacts: 0 }
      storeRow(site(), 'administrators', { name, email, ...may, ...ways })
      cookies[name] = await signIn(site(), { email, password: testPassword })
    }
    inSiteDatabase(site(), (database) =>
      database.exec(`UPDATE administrators SET invitation_hash = 'verborgen ' || id WHERE email IS NOT NULL;
        INSERT INTO passkeys SELECT 'id' || id, id, 'Phone', 'verborgen', 0, '', 0, NULL FROM administrators`),
    )
    await send('owner', 'DELETE /api/rsvps/2')
    sessions = inSiteDatabase(site(), (database) => database.prepare('SELECT * FROM sessions').all()) as typeof sessions
  })

  /** Makes a call that changes nothing: what it names does not exist, and what it sends does not fit. */
  function send(caller: Caller, call: string): Promise<Reply> {
    const cookie = cookies[caller]
    const json = /^(POST|PUT|PATCH)/.test(call) ? [] : undefined
    return ask(site(), call, { json, headers: { ...(cookie !== undefined && { cookie }) } })
  }

  /** Signing out works: whoever did that is signed in again. */
  function restoreSessions(changes: { proven_at?: number } = {}): void {
    for (const session of sessions) storeRow(site(), 'sessions', { ...session, ...changes })
  }

  const callOf = (method: string, route: string) => `${method} ${addressOf(route.replace('[id]', '999999'))}`

  it.each(callers)('lets the %s call what the table of access allows, and nothing else', async (caller) => {
    const expected: [string, string][] = []
    const found: [string, string][] = []
    // All others are a 405: see routes.test.ts.
    for (const route of routes)
      for (const method of methodsOf(route).split(', ')) {
        const call = callOf(method, route)
        const refused = caller === 'visitor' ? '401' : '403'
        expected.push([call, isRefused(caller, accessTo(route, method)) ? refused : 'allowed'])
        const reply = await send(caller, call)
        found.push([call, [401, 403].includes(reply.status) ? String(reply.status) : 'allowed'])
        if (reply.status >= 500) expect([call, reply.status, reply.body]).toEqual([])
        if (reply.status === 401 || reply.status === 403) expectSentence(call, reply)
        // A backup is the whole database; only an owner gets one.
        if (call !== 'POST /api/backups/download' || caller !== 'owner')
          expect([call, SECRET.test(reply.body + JSON.stringify(reply.headers))]).toEqual([call, false])
        if (isRefused(caller, 'clerk')) expect([call, CANARY.test(reply.body)]).toEqual([call, false])
        if (method === 'DELETE') restoreSessions()
      }
    expect(found).toEqual(expected)
    expect(found.length).toBeGreaterThanOrEqual(60)
  })

  const lists = ['/admin', '/api/rsvps', '/api/rsvps/deleted', '/api/rsvps/download']
  it.each<[Caller, string[]]>([
    ['visitor', []],
    ['reader', []],
    ['ticked', ['/admin/sheet']],
    ['clerk', [...lists, '/admin/sheet']],
    ['owner', [...lists, '/admin/sheet']],
  ])('shows a %s contact data at %j only', async (caller, shown) => {
    const queries = ['?', '?tab=settings', '?q=Ana', '?deleted=true']
    const seen = new Set<string>()
    for (const path of routes.filter((route) => methodsOf(route).startsWith('GET')).map(addressOf))
      for (const query of queries) if (CANARY.test((await send(caller, `GET ${path}${query}`)).body)) seen.add(path)
    expect([...seen].toSorted()).toEqual(shown.toSorted())
  })

  it.each<Caller>(['reader', 'clerk', 'owner'])(
    'links a %s to no settings that the role does not get',
    async (caller) => {
      const { body: settings } = await send(caller, 'GET /admin?tab=settings')
      for (const path of ['/admin', '/admin?tab=settings', '/admin?tab=share', '/admin/poster', '/admin/prayers'])
        for (const [, id] of (await send(caller, `GET ${path}`)).body.matchAll(/tab=settings#([\w-]+)"/g))
          expect([path, settings.includes(`id="${id}"`)]).toEqual([path, true])
    },
  )

  it('asks an owner for a proof where the last one is older than ten minutes, and only where the table says so', async () => {
    expect(needingProof.length).toBeGreaterThan(0)
    restoreSessions({ proven_at: Date.now() - 10 * 60_000 - 1 })
    for (const name of Object.keys(calls)) {
      const [method = '', route = ''] = name.split(' ')
      if (!routes.includes(route) || route.startsWith('/api/session')) continue
      const { status, body } = await send('owner', callOf(method, route))
      const isAsked = status === 403 && JSON.parse(body).errors?.[0]?.path === 'proof'
      expect([name, isAsked]).toEqual([name, needingProof.includes(name)])
    }
    restoreSessions()
  })

  function expectSentence(call: string, { body }: Reply): void {
    if (call.startsWith('HEAD')) return
    const sentence = body.startsWith('{') ? JSON.parse(body).detail : body
    expect([call, sentence]).toEqual([call, expect.stringMatching(/Sign in at \/admin\.|Ask an owner|Sign In/)])
  }
})
