import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ask, expectNothingRevealed, type Sent } from '#site/scenarios/fixtures.ts'
import { PASSWORD, signIn } from '#site/scenarios/guarded-fixtures.ts'
import { canary, eventually, holdLock, siteOn, storedIn, testPlace } from './fixtures.ts'

/** A request waits so long for a lock and fails then. One that waited for each of its calls would wait several times. */
const WAIT_MS = 3000
const AT_ONCE = 6
/** On a quiet machine a file takes less than 100 ms. Whatever waits on the main thread makes seconds of it. */
const FILE_MS = 1000

const typed = { name: 'Canary Form', email: 'canary@b.example', attending: 'true' }

type Request = [call: string, sent?: Sent]

/** Each of them makes several calls of the database, one after the other. */
const requests: Record<string, (cookie: string, number: number) => Request> = {
  'an RSVP': (cookie, number) => [
    'POST /api/rsvp',
    { json: canary(`Canary Locked ${number}`), headers: { cookie, 'idempotency-key': `locked-${number}` } },
  ],
  'a form': (cookie) => ['POST /api/rsvp', { form: typed, headers: { cookie } }],
  'the administration': (cookie) => ['GET /admin', { headers: { cookie } }],
  'the main page': (cookie) => ['GET /', { headers: { cookie } }],
  'the share page of a visitor': () => ['GET /share'],
  'the list': (cookie) => ['GET /api/rsvps', { headers: { cookie } }],
  'a deletion': (cookie) => ['DELETE /api/rsvps/1', { headers: { cookie } }],
  'a sign-in': () => ['POST /api/session', { json: { password: PASSWORD } }],
  'a sign-out': (cookie) => ['DELETE /api/session', { headers: { cookie } }],
  health: () => ['GET /api/health'],
}
const WRITING = ['an RSVP', 'a form', 'a deletion', 'a sign-in', 'a sign-out', 'health']

describe('a lock that another process holds', () => {
  it.each([
    ['EXCLUSIVE', Object.keys(requests)],
    ['DEFERRED', WRITING],
  ])('for long (%s) delays no request twice, and refuses only what needs it', async (kind, refused) => {
    const file = join(testPlace(), 'rsvp.db')
    const variables = { ADMIN_PASSWORD: PASSWORD, RSVP_POST_LIMIT: 'off' }
    const site = await siteOn(file, { variables, overrides: { REQUEST_DEADLINE_MS: WAIT_MS } })
    const cookie = await signIn(site)
    expect((await ask(site, 'POST /api/rsvp', { json: canary('Canary First') })).status).toBe(201)
    for (const path of ['/', '/admin', '/share']) await ask(site, `GET ${path}`, { headers: { cookie } })
    const release = await holdLock(file, { kind })

    async function timed(name: string, delay: number, request: Request) {
      await wait(delay)
      const started = performance.now()
      const reply = await ask(site, ...request)
      return { name, reply, ms: performance.now() - started }
    }
    // A busy machine makes some late, and others in another round; what waits twice does so in each.
    await eventually(async () => {
      const replies = Object.entries(requests).flatMap(([name, request], place) =>
        Array.from({ length: AT_ONCE }, (_, number) => timed(name, place * 100, request(cookie, number))),
      )
      // It needs no database, and is asked for all the while.
      const files = Array.from({ length: 40 }, (_, place) => timed('a file', place * 50, ['GET /favicon.svg']))
      for (const { name, reply, ms } of await Promise.all(replies)) {
        const [status, retryAfter] = refused.includes(name) ? [503, expect.stringMatching(/^\d+$/)] : [200, undefined]
        expect([name, reply.status, reply.headers['retry-after']]).toEqual([name, status, retryAfter])
        if (!reply.body.startsWith('<')) expectNothingRevealed(reply.body)
        expect(ms, name).toBeLessThan(2 * WAIT_MS)
      }
      for (const { ms } of await Promise.all(files)) expect(ms).toBeLessThan(FILE_MS)
    })
    await release()

    // What was refused was not stored, so that the same again is stored once.
    expect(storedIn(file).map(({ name }) => name)).toEqual(['Canary First'])
    await eventually(async () => {
      expect((await ask(site, ...(requests['an RSVP']?.(cookie, 1) ?? ['']))).status).toBe(201)
    })
    expect(storedIn(file).map(({ name }) => name)).toEqual(['Canary First', 'Canary Locked 1'])
    expect(site.output()).not.toMatch(/canary|unexpected error/i)
  })
})
