import pLimit from 'p-limit'
import { describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { type Answer, ask, expectProblem, expectUnharmed, type Site, testSite } from '#site/scenarios/fixtures.ts'
import { everyRow, guardedSite, inDatabase, signIn } from '#site/scenarios/guarded-fixtures.ts'

const SECOND = 1000

function post(site: Site, headers: Record<string, string> = {}): Promise<Answer> {
  return ask(site, 'POST /api/rsvp', { json: testRsvp(), headers })
}

/** How many of so many that are sent at once are stored. */
async function storedOf(count: number, site: Site): Promise<{ stored: number; answers: Answer[] }> {
  const inTurn = pLimit(250)
  const answers = await Promise.all(Array.from({ length: count }, () => inTurn(() => post(site))))
  return { stored: answers.filter(({ status }) => status === 201).length, answers }
}

/** As if so many ms had passed. */
function pass(site: Site, ms: number): void {
  inDatabase(site, (database) => database.prepare('UPDATE allowances SET full_at = full_at - ?').run(ms))
}

describe('a thousand answers from one address at once', () => {
  const site = guardedSite()

  it('are stored sixty times, and thirty times a minute after that', async () => {
    const started = performance.now()
    const { stored, answers } = await storedOf(1000, site())
    const seconds = (performance.now() - started) / SECOND
    expect(stored).toBeGreaterThanOrEqual(60)
    expect(stored).toBeLessThanOrEqual(61 + seconds / 2)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(answer).toMatchObject({ status: 429, headers: { 'retry-after': expect.stringMatching(/^[12]$/) } })
    }
    expect(everyRow(site()).rsvps).toHaveLength(stored)
    const cookie = await signIn(site())
    await expectUnharmed(site(), stored, { cookie })
  })
})

describe('answers that are too many', () => {
  const site = guardedSite({ RSVP_POST_LIMIT: '5/1' })

  it('say when to come back, and are listened to then', async () => {
    await storedOf(10, site())
    const answer = await post(site())
    expectProblem(answer, 429)
    const wait = Number(answer.headers['retry-after'])
    expect(JSON.parse(answer.body).detail).toBe(
      `Too many answers came from your network. Wait ${wait} ${wait === 1 ? 'second' : 'seconds'}, then send yours again.`,
    )
    pass(site(), wait * SECOND)
    expect((await post(site())).status).toBe(201)
  })

  it('bring the form again without JavaScript, with everything typed and when to come back', async () => {
    await storedOf(10, site())
    const answer = await ask(site(), 'POST /api/rsvp', {
      body: 'name=Ana+Cole&email=ana%40cole.example&attending=true&page=%2Fshare',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(answer.status).toBe(429)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.body).toContain('Too many answers came from your network.')
    expect(answer.body).toContain('ana@cole.example')
    expect(answer.headers['retry-after']).toMatch(/^([1-9]|[1-5]\d|60)$/)
  })

  it('keep nobody from reading', async () => {
    await storedOf(10, site())
    for (const path of ['/', '/share', '/api/rsvps', '/api/event'])
      expect((await ask(site(), `GET ${path}`)).status).toBe(200)
  })
})

describe('a church whose people share one address', () => {
  const site = guardedSite()

  it('has two hundred answers stored in five minutes', async () => {
    for (let sent = 0; sent < 200; sent += 1) {
      expect((await post(site())).status).toBe(201)
      pass(site(), 1.5 * SECOND)
    }
    expect(everyRow(site()).rsvps).toHaveLength(200)
  })
})

describe('another limit', () => {
  const few = guardedSite({ RSVP_POST_LIMIT: '5/1' })
  const off = guardedSite({ RSVP_POST_LIMIT: 'off' })
  const open = testSite({ RSVP_POST_LIMIT: '5/1' })

  it('is so many at once and so many a minute', async () => {
    const { stored, answers } = await storedOf(20, few())
    expect(stored).toBe(5)
    expect(answers.filter(({ headers }) => /^([1-9]|[1-5]\d|60)$/.test(headers['retry-after'] ?? ''))).toHaveLength(15)
    pass(few(), 60 * SECOND)
    expect((await storedOf(20, few())).stored).toBe(1)
    pass(few(), 300 * SECOND)
    expect((await storedOf(20, few())).stored).toBe(5)
  })

  it.each([
    ['with off', off],
    ['in open mode', open],
  ])('is none %s', async (_, site) => {
    expect((await storedOf(200, site())).stored).toBe(200)
    expect(everyRow(site()).allowances?.filter((row) => JSON.stringify(row).includes('rsvp'))).toEqual([])
  })
})
