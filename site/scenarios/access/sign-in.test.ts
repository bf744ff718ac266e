import { existsSync, readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { ask, expectProblem, expectUnharmed, type Reply, type Site } from '#site/scenarios/fixtures.ts'
import {
  deviceOf,
  guardedSite,
  inSiteDatabase,
  PASSWORD,
  rowsByTable,
  signIn,
} from '#site/scenarios/guarded-fixtures.ts'
import { NO_OVERRIDES, withOverrides } from '../../../scripts/testing/overrides.mjs'

const SECOND = 1000
const MEBIBYTE = 1024 * 1024

/** Behind a proxy, so that a test can come from wherever it likes. */
const site = guardedSite({ TRUSTED_PROXIES: '127.0.0.1' })
/** Where comparing a password takes long enough to be seen: an eighth of what it takes in the product, in time and memory. */
const slowSite = guardedSite({ TRUSTED_PROXIES: '127.0.0.1', ...withOverrides({ PASSWORD_LN: 14 }) })

beforeEach(() => {
  for (const each of [site(), slowSite()])
    inSiteDatabase(each, (database) => database.exec('DELETE FROM sign_in_attempts; DELETE FROM allowances'))
})

function attempt(password: unknown, from = '198.51.100.1', cookie = '', at = site()): Promise<Reply> {
  return ask(at, 'POST /api/session', { json: { password }, headers: { 'x-forwarded-for': from, cookie } })
}

/** On a busy machine many at once may take longer than a connection may be silent: then the same once more. */
async function insist(...sent: Parameters<typeof attempt>): Promise<Reply> {
  try {
    return await attempt(...sent)
  } catch (error) {
    expect(error).toMatchObject({ code: 'ECONNRESET' })
    return insist(...sent)
  }
}

/** As if so many ms had passed. */
function pass(ms: number): void {
  inSiteDatabase(site(), (database) => {
    database.prepare('UPDATE sign_in_attempts SET next_at = next_at - ?').run(ms)
    database.prepare('UPDATE allowances SET full_at = full_at - ?').run(ms)
  })
}

describe('a password', () => {
  const wrong = {
    'one character off': `${PASSWORD.slice(0, -1)}x`,
    'one character short': PASSWORD.slice(0, -1),
    'one character more': `${PASSWORD}x`,
    'in capitals': PASSWORD.toUpperCase(),
    'far too short to be one': 'x',
    'as long as one can be': 'x'.repeat(128),
    blanks: '   ',
    'with a NUL': PASSWORD.replace(' ', '\0'),
    'an injection': "' OR 1=1 --",
  }

  it('gets the same reply whatever is wrong with it', async () => {
    const replies: unknown[] = []
    for (const [position, password] of Object.values(wrong).entries()) {
      const { status, headers, body } = await attempt(password, `198.51.100.${position}`)
      const { date: _, ...others } = headers
      replies.push({ status, headers: others, body })
    }
    expect(replies).toEqual(replies.map(() => replies[0]))
    expect(replies[0]).toMatchObject({
      status: 401,
      body: expect.stringContaining('The password is wrong. Try again.'),
    })
  })

  it('takes as long to refuse whatever is wrong with it', async () => {
    const kinds = [wrong['one character off'], wrong['far too short to be one'], wrong['as long as one can be']]
    // A busy machine makes some of them late: what counts is the best of each, and it gets more tries to be as good.
    const best = kinds.map(() => Number.POSITIVE_INFINITY)
    const isAsLong = () => Math.max(...best) < 3 * Math.min(...best)
    for (let round = 0; round < 5 || (round < 25 && !isAsLong()); round += 1)
      for (const [kind, password] of kinds.entries()) {
        const started = performance.now()
        expect((await attempt(password, `${20 + round}.51.100.1`, '', slowSite())).status).toBe(401)
        best[kind] = Math.min(best[kind] ?? 0, performance.now() - started)
      }
    expect(isAsLong(), `${best} ms`).toBe(true)
  })

  it.each([
    ['blanks at its ends', `  ${PASSWORD}\n`],
    ['letters that mean the same', PASSWORD.replace('f', 'ｆ')],
  ])('may be typed with %s', async (_, password) => {
    expect((await attempt(password)).status).toBe(204)
  })

  it.each<[string, unknown, string]>([
    ['empty', '', 'Type the password.'],
    ['missing', undefined, 'Type the password.'],
    ['null', null, 'Type the password.'],
    ['a number', 123_456_789_012, 'Type the password.'],
    ['a list', [PASSWORD], 'Type the password.'],
    ['an object', { $ne: '' }, 'Type the password.'],
    ['129 characters long', 'x'.repeat(129), 'A password has at most 128 characters.'],
  ])('that is %s is a 400 and no attempt', async (_, password, message) => {
    const reply = await attempt(password)
    expectProblem(reply, 400)
    expect(JSON.parse(reply.body).errors).toEqual([{ path: 'password', message }])
    expect(rowsByTable(site()).sign_in_attempts).toEqual([])
  })

  it('of 1 MB is a 413, one in no JSON a 400, one in plain text a 415', async () => {
    expectProblem(await attempt('x'.repeat(MEBIBYTE)), 413)
    for (const body of ['{', 'null', '[]', `"${PASSWORD}"`, ''])
      expectProblem(
        await ask(site(), 'POST /api/session', { body, headers: { 'content-type': 'application/json' } }),
        400,
      )
    const headers = { 'content-type': 'text/plain' }
    expectProblem(await ask(site(), 'POST /api/session', { body: `{"password":"${PASSWORD}"}`, headers }), 415)
    expect(rowsByTable(site()).sign_in_attempts).toEqual([])
  })
})

describe('two hundred wrong passwords', () => {
  it('from one network in ten minutes reach the hash fifteen times at most, and the right one works after the wait', async () => {
    const replies: Reply[] = []
    for (let tried = 0; tried < 200; tried += 1) {
      replies.push(await attempt('not the right one'))
      pass(3 * SECOND)
    }
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401, 429]))
    const reached = replies.filter(({ status }) => status === 401).length
    expect(reached).toBeGreaterThan(5)
    expect(reached).toBeLessThanOrEqual(15)
    const early = await attempt(PASSWORD)
    expectProblem(early, 429)
    const wait = Number(early.headers['retry-after'])
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(300)
    pass((wait / 2) * SECOND)
    expect((await attempt(PASSWORD)).status).toBe(429)
    pass((wait / 2) * SECOND)
    expect((await attempt(PASSWORD)).status).toBe(204)
  })

  it('at once from one network reach it a few times, and the others are told how long to wait', async () => {
    const replies = await Promise.all(Array.from({ length: 200 }, () => attempt('not the right one')))
    const others = replies.filter(({ status }) => status !== 401)
    expect(others.length).toBeLessThanOrEqual(195)
    expect(others.length).toBeGreaterThanOrEqual(185)
    for (const reply of others) {
      expectProblem(reply, 429)
      const wait = reply.headers['retry-after']
      expect(wait).toMatch(/^[1-9]\d?$/)
      const time = wait === '1' ? '1 second' : `${wait} seconds`
      expect(JSON.parse(reply.body).detail).toBe(`Too many wrong passwords. Wait ${time}, then try again.`)
    }
    expect((await attempt(PASSWORD, '198.51.100.2')).status).toBe(204)
    await expectUnharmed(site(), 0, { cookie: await signIn(site()) })
  })

  it('from twelve networks without end delay no caller who knows the password, and are audited', async () => {
    // As it stands after an hour of it: everything from everywhere is used up, and each network waits for its next try.
    inSiteDatabase(slowSite(), (database) => {
      const row = database.prepare('INSERT INTO sign_in_attempts VALUES (?, 12, ?, 0)')
      for (let network = 0; network < 12; network += 1) row.run(`network 192.0.${network}.1`, Date.now())
      database
        .prepare("INSERT INTO allowances VALUES ('sign-in from everywhere', ?)")
        .run(Date.now() + 60 * 60 * SECOND)
    })
    let isOver = false
    const guesses = Array.from({ length: 12 }, async (_, network) => {
      while (!isOver) await insist('not the right one', `192.0.${network}.1`, '', slowSite())
    })
    expect((await insist(PASSWORD, '203.0.113.1', '', slowSite())).status).toBe(204)
    isOver = true
    await Promise.all(guesses)
    const told = JSON.stringify(rowsByTable(slowSite()).audit_entries)
    expect(told).toContain('"action":"flood noticed","subject":"passwords"')
  })

  it('from the same network do not delay a known browser, which has tries of its own', async () => {
    const device = deviceOf(await attempt(PASSWORD))
    const unknown = await Promise.all(Array.from({ length: 20 }, () => attempt('not the right one')))
    expect(unknown.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
    const own = await Promise.all(Array.from({ length: 20 }, () => attempt('forgotten', '198.51.100.1', device)))
    expect(own.filter(({ status }) => status === 401).length).toBeGreaterThanOrEqual(5)
    expect(own.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
    pass(300 * SECOND)
    expect((await attempt(PASSWORD, '198.51.100.1', device)).status).toBe(204)
  })
})

describe('a password of the product', () => {
  const real = guardedSite(NO_OVERRIDES)

  it('costs to guess what the guidance asks for, and signs in', async () => {
    const stored = JSON.stringify(rowsByTable(real()).passwords)
    expect(stored).toMatch(/"scrypt\$[\w-]{22}\$[\w-]{43}"/)
    await signIn(real())
    expect(JSON.stringify(rowsByTable(real()).passwords)).toBe(stored)
  })
})

describe('twenty who sign in at once', () => {
  // One hash takes 128 MiB here. The thread pool of Node runs four at once: without a queue they would take 512 MiB.
  const real = guardedSite({ TRUSTED_PROXIES: '127.0.0.1', ...NO_OVERRIDES })

  it.runIf(existsSync('/proc/self/status'))('take the memory of two', async () => {
    const idle = memoryOf(real(), 'VmRSS')
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, place) => insist(PASSWORD, `203.0.113.${place}`, '', real())),
    )
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 204))
    expect(memoryOf(real(), 'VmHWM') - idle).toBeLessThan(350 * MEBIBYTE)
  })

  function memoryOf({ pid }: Site, line: 'VmRSS' | 'VmHWM'): number {
    const kilobytes = new RegExp(`${line}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Number(kilobytes) * 1024
  }
})
