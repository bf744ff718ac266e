import pLimit from 'p-limit'
import { describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { ask, expectProblem, expectUnharmed, type Reply, type Site, testSite } from '#site/scenarios/fixtures.ts'
import { guardedSite, inSiteDatabase, rowsByTable, signIn } from '#site/scenarios/guarded-fixtures.ts'

const SECOND = 1000

function post(site: Site, headers: Record<string, string> = {}): Promise<Reply> {
  return ask(site, 'POST /api/rsvp', { json: testRsvp(), headers })
}

/** Sends so many RSVPs at once; returns the replies and how many were stored. */
async function storedOf(count: number, site: Site): Promise<{ stored: number; replies: Reply[] }> {
  const inTurn = pLimit(250)
  const replies = await Promise.all(Array.from({ length: count }, () => inTurn(() => post(site))))
  return { stored: replies.filter(({ status }) => status === 201).length, replies }
}

/** As if so many ms had passed. */
function pass(site: Site, ms: number): void {
  inSiteDatabase(site, (database) => database.prepare('UPDATE allowances SET full_at = full_at - ?').run(ms))
}

describe('three hundred RSVPs from one address at once', () => {
  const site = guardedSite()

  it('are stored up to sixty, and thirty a minute after that', async () => {
    const started = performance.now()
    const { stored, replies } = await storedOf(300, site())
    const seconds = (performance.now() - started) / SECOND
    expect(stored).toBeGreaterThanOrEqual(60)
    expect(stored).toBeLessThanOrEqual(61 + seconds / 2)
    for (const reply of replies.filter(({ status }) => status !== 201)) {
      expect(reply).toMatchObject({ status: 429, headers: { 'retry-after': expect.stringMatching(/^[12]$/) } })
    }
    expect(rowsByTable(site()).rsvps).toHaveLength(stored)
    const cookie = await signIn(site())
    await expectUnharmed(site(), stored, { cookie })
  })
})

describe('RSVPs beyond the limit', () => {
  const site = guardedSite({ RSVP_POST_LIMIT: '5/1' })

  it('are told when to retry, and are stored then', async () => {
    await storedOf(10, site())
    const reply = await post(site())
    expectProblem(reply, 429)
    const wait = Number(reply.headers['retry-after'])
    expect(JSON.parse(reply.body).detail).toBe(
      `Too many responses came from your network. Wait ${wait} ${wait === 1 ? 'second' : 'seconds'}, then send yours again.`,
    )
    pass(site(), wait * SECOND)
    expect((await post(site())).status).toBe(201)
  })

  it('bring the form again without JavaScript, with everything typed and when to come back', async () => {
    await storedOf(10, site())
    const reply = await ask(site(), 'POST /api/rsvp', {
      body: 'name=Ana+Cole&email=ana%40cole.example&attending=true&page=%2Fshare',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(reply.status).toBe(429)
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(reply.body).toContain('Too many responses came from your network.')
    expect(reply.body).toContain('ana@cole.example')
    expect(reply.headers['retry-after']).toMatch(/^([1-9]|[1-5]\d|60)$/)
  })

  it('keep no visitor from reading', async () => {
    await storedOf(10, site())
    for (const path of ['/', '/share', '/api/rsvps', '/api/event'])
      expect((await ask(site(), `GET ${path}`)).status).toBe(200)
  })
})

describe('a church whose people share one address', () => {
  const site = guardedSite()

  it('has two hundred RSVPs stored in five minutes', async () => {
    for (let sent = 0; sent < 200; sent += 1) {
      expect((await post(site())).status).toBe(201)
      pass(site(), 1.5 * SECOND)
    }
    expect(rowsByTable(site()).rsvps).toHaveLength(200)
  })
})

describe('another limit', () => {
  const few = guardedSite({ RSVP_POST_LIMIT: '5/1' })
  const off = guardedSite({ RSVP_POST_LIMIT: 'off' })
  const open = testSite({ RSVP_POST_LIMIT: '5/1' })

  it('is so many at once and so many a minute', async () => {
    const { stored, replies } = await storedOf(20, few())
    expect(stored).toBe(5)
    expect(replies.filter(({ headers }) => /^([1-9]|[1-5]\d|60)$/.test(headers['retry-after'] ?? ''))).toHaveLength(15)
    pass(few(), 60 * SECOND)
    expect((await storedOf(20, few())).stored).toBe(1)
    pass(few(), 300 * SECOND)
    expect((await storedOf(20, few())).stored).toBe(5)
  })

  it.each([
    ['with off', off],
    ['in open mode', open],
  ])('is none %s', async (_, site) => {
    expect((await storedOf(100, site())).stored).toBe(100)
    expect(rowsByTable(site()).allowances?.filter((row) => JSON.stringify(row).includes('rsvp'))).toEqual([])
  })
})
