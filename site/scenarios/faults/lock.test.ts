import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ask, expectNothingRevealed, type Reply, type Sent, type Site } from '#site/scenarios/fixtures.ts'
import { PASSWORD, signIn } from '#site/scenarios/guarded-fixtures.ts'
import { withOverrides } from '../../../scripts/testing/overrides.mjs'
import { canary, eventually, holdLock, siteOn, storedIn, testPlace } from './fixtures.ts'

/** A request waits so long for a lock and fails then. One that waited for each of its calls would wait several times. */
const WAIT_MS = 2000
const AT_ONCE = 6
/** A busy machine makes some of them late: then all are sent once more, where the idle site was slow as well. */
const ROUNDS_MAXIMUM = 3
/** What a file of the idle site takes on a machine that is not busy, in ms: the 95th percentile and the longest time. */
const IDLE_USUAL_MS = 100
const IDLE_LONGEST_MS = 500

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

async function timed(site: Site, [call, request]: Request): Promise<{ ms: number; reply: Reply }> {
  const started = performance.now()
  const reply = await ask(site, call, request)
  return { ms: performance.now() - started, reply }
}

/**
 * How long a file takes that needs no database, asked for every 50 ms until told to stop: what blocks a process shows.
 * Returns the 95th percentile and the longest time.
 */
function watchFile(site: Site): () => Promise<[usual: number, longest: number]> {
  const asked: Promise<number>[] = []
  const asking = setInterval(() => asked.push(timed(site, ['GET /favicon.svg']).then(({ ms }) => ms)), 50)
  return async () => {
    clearInterval(asking)
    const times = (await Promise.all(asked)).toSorted((a, b) => a - b)
    expect(times.length).toBeGreaterThan(20)
    return [times[Math.floor(times.length * 0.95)] ?? 0, times.at(-1) ?? 0]
  }
}

/** Every reply is the expected one, or on a busy machine a refusal, and reveals nothing. */
function expectReplies(all: { name: string; reply: Reply }[], refused: string[], isBusy: boolean): void {
  for (const name of Object.keys(requests)) {
    const some = all.filter((each) => each.name === name)
    expect(some).toHaveLength(AT_ONCE)
    for (const { reply } of some) {
      const isRefused = refused.includes(name) || (isBusy && reply.status === 503)
      expect([name, reply.status, reply.headers['retry-after']]).toEqual(
        isRefused ? [name, 503, expect.stringMatching(/^\d+$/)] : [name, 200, undefined],
      )
      if (!reply.body.startsWith('<')) expectNothingRevealed(reply.body)
    }
  }
}

describe('a lock that another process holds', () => {
  it.each([
    ['EXCLUSIVE', Object.keys(requests)],
    ['DEFERRED', WRITING],
  ])('for long (%s) delays no request twice, and refuses only what needs it', async (kind, refused) => {
    // Another process that nothing is locked for tells how much of a wait is the machine's.
    const idle = await siteOn(join(testPlace(), 'rsvp.db'))
    const file = join(testPlace(), 'rsvp.db')
    const overrides = withOverrides({ REQUEST_DEADLINE_MS: WAIT_MS })
    const variables = { ADMIN_PASSWORD: PASSWORD, RSVP_POST_LIMIT: 'off', ...overrides }
    const site = await siteOn(file, { variables })
    const cookie = await signIn(site)
    expect((await ask(site, 'POST /api/rsvp', { json: canary('Canary First') })).status).toBe(201)
    for (const path of ['/', '/admin', '/share']) await ask(site, `GET ${path}`, { headers: { cookie } })
    const release = await holdLock(file, { kind })
    // Health caches its result for 2 s, and is asked 1.3 s later than the others.
    await wait(1200)

    async function sendAll() {
      const [stopWatching, stopWatchingIdle] = [watchFile(site), watchFile(idle)]
      const asked = Object.entries(requests).flatMap(([name, request], place) =>
        Array.from({ length: AT_ONCE }, async (_, number) => {
          await wait(place * 150)
          return { name, ...(await timed(site, request(cookie, number))) }
        }),
      )
      const all = await Promise.all(asked)
      const [usual, longest] = await stopWatching()
      const [usualIdle, longestIdle] = await stopWatchingIdle()
      const isBusy = usualIdle > IDLE_USUAL_MS || longestIdle > IDLE_LONGEST_MS
      expectReplies(all, refused, isBusy)
      const late = all.filter(({ ms }) => ms >= 2 * WAIT_MS).map(({ name }) => `${name} has waited twice`)
      const unread = all.filter(({ name, reply }) => reply.status === 503 && !refused.includes(name))
      late.push(...unread.map(({ name }) => `${name} could not be read`))
      // On a quiet machine a file takes less than 100 ms. Whatever waits on the main thread makes seconds of it.
      if (usual >= 1000 + 10 * usualIdle) late.push(`a file usually takes ${usual} ms`)
      if (longest >= 2000 + longestIdle) late.push(`a file takes up to ${longest} ms`)
      return { late, isBusy }
    }
    let { late, isBusy } = await sendAll()
    for (let round = 1; late.length > 0 && isBusy && round < ROUNDS_MAXIMUM; round += 1)
      ({ late, isBusy } = await sendAll())
    await release()

    expect(late).toEqual([])
    // What was refused was not stored, so that the same again is stored once.
    expect(storedIn(file).map(({ name }) => name)).toEqual(['Canary First'])
    await eventually(async () => {
      expect((await ask(site, ...(requests['an RSVP']?.(cookie, 1) ?? ['']))).status).toBe(201)
    })
    expect(storedIn(file).map(({ name }) => name)).toEqual(['Canary First', 'Canary Locked 1'])
    expect(site.output()).not.toMatch(/canary|unexpected error/i)
  })
})
