import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { holdLock } from '#site/scenarios/faults/fixtures.ts'
import { ask, formKeyIn, type Reply, runRsvp, withoutVariations } from '#site/scenarios/fixtures.ts'
import { guardedSite, signIn } from '#site/scenarios/guarded-fixtures.ts'
import { testEvent, testRsvp } from '#testing/database-fixtures.ts'

const KEPT = ['/', '/share', '/privacy', '/calendar.ics', '/api/event', '/api/features', '/api/volunteer-roles']
const DECODERS: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync }
/** What only an administrator's page says. */
const ADMINISTRATORS = /mayEdit&quot;:\[0,true\]/

function textOf({ headers, bytes }: Reply): string {
  const decode = DECODERS[headers['content-encoding'] ?? ''] ?? ((plain) => plain)
  return withoutVariations(decode(bytes).toString())
}

/** The headers without those that are another one each time, e.g. because a connection ends after a hundred requests. */
function lasting({ headers }: Reply, changing: string[] = []) {
  const changes = ['date', 'connection', 'keep-alive', ...changing]
  return Object.entries(headers).filter(([name]) => !changes.includes(name))
}

/** Tries again if a minute ended meanwhile: in the next one, all pages are made anew. */
async function withinOneMinute(look: () => Promise<void>): Promise<void> {
  const minute = () => Math.floor(Date.now() / 60_000)
  for (let tries = 1; ; tries += 1) {
    const started = minute()
    try {
      return await look()
    } catch (error) {
      if (started === minute() || tries === 5) throw error
    }
  }
}

describe('a kept page', () => {
  const site = guardedSite()
  const get = (path: string, headers: Record<string, string> = {}) => ask(site(), `GET ${path}`, { headers })
  let administrator: Record<string, string>
  beforeAll(async () => {
    administrator = { cookie: await signIn(site()) }
    await ask(site(), 'PATCH /api/settings', { json: { publicNames: 'full' }, headers: administrator })
    // Once an event is stored, the call for it has a tag of its own.
    expect((await ask(site(), 'POST /api/event', { json: testEvent(), headers: administrator })).status).toBe(200)
  })

  it.each(KEPT)('is the one that is made for a request, and its headers alone for HEAD: %s', (path) =>
    withinOneMinute(async () => {
      for (const [accepted, encoding] of [['identity'], ['GZIP, br;q=0', 'gzip'], ['br;q=1, gzip;q=0.5', 'br']]) {
        const headers = { 'accept-encoding': String(accepted) }
        const [kept, made] = [await get(path, headers), await get(`${path}?before`, headers)]
        expect([kept.status, textOf(kept)]).toEqual([200, textOf(made)])
        const ofOne = ['etag', 'vary', 'content-length', 'transfer-encoding']
        expect(lasting(kept, ofOne)).toEqual(lasting(made, ofOne))
        if (kept.bytes.length > 1024) expect(kept.headers['content-encoding']).toBe(encoding)
        expect(Number(kept.headers['content-length'])).toBe(kept.bytes.length)
        const head = await ask(site(), `HEAD ${path}`, { headers })
        expect([head.status, head.body, lasting(head)]).toEqual([200, '', lasting(kept)])
      }
    }),
  )

  it('has a form of its own for each visitor, and is given to no one with a session', async () => {
    const asked = Array.from({ length: 32 }, async (_, number) => {
      const reply = await get(number % 4 < 2 ? '/' : '/share', number % 2 === 0 ? administrator : {})
      expect([reply.status, ADMINISTRATORS.test(reply.body)]).toEqual([200, number % 2 === 0])
      return formKeyIn(reply)
    })
    const keys = await Promise.all(asked)
    expect([new Set(keys).size, keys.includes(undefined)]).toEqual([keys.length, false])
  })

  it('never lacks what was acknowledged before it was asked for, while many write, also from a terminal', async () => {
    const acknowledged = new Set<string>()
    const send = async (name: string) => {
      expect((await ask(site(), 'POST /api/rsvp', { json: testRsvp({ name }) })).status).toBe(201)
    }
    const addFromTerminal = (name: string) => runRsvp(site(), ['add', '--name', name])
    const writers = Array.from('abcdefg', async (letter) => {
      for (const round of 'xy') {
        const name = `Canary ${letter}${round}`
        await (letter === 'a' ? addFromTerminal(name) : send(name))
        acknowledged.add(name)
      }
    })
    let writing = writers.length
    const readers = Array.from({ length: 6 }, async () => {
      do {
        const expected = Array.from(acknowledged)
        const { status, body } = await get('/')
        expect([status, expected.filter((name) => !body.includes(name))]).toEqual([200, []])
      } while (writing > 0)
    })
    await Promise.all([...writers.map((each) => each.finally(() => (writing -= 1))), ...readers])
    expect(acknowledged.size).toBe(14)
  })

  it('takes no statement of the database, and invented names of the site do not push it out', () =>
    withinOneMinute(async () => {
      for (let number = 0; number < 210; number += 1) {
        if (number % 60 === 0) for (const path of [...KEPT, ...KEPT]) expect((await get(path)).status).toBe(200)
        expect((await get('/api/features', { host: `name-${number}.local` })).status).toBe(200)
      }
      const release = await holdLock(join(site().folder, 'rsvp.db'))
      const replies = await Promise.all(KEPT.map((path) => get(path)))
      await release()
      expect(replies.map(({ status }) => status)).toEqual(KEPT.map(() => 200))
    }))
})
