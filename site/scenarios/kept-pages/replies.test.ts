import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { testEvent } from '#db/fixtures.ts'
import { holdLock } from '#site/scenarios/faults/fixtures.ts'
import { ask, exchange, formKeyIn, type Reply, withoutVariations } from '#site/scenarios/fixtures.ts'
import { guardedSite, signIn } from '#site/scenarios/guarded-fixtures.ts'
import { KEPT_PATHS, keepAll } from './fixtures.ts'

const DECODERS: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync }

function textOf({ headers, bytes }: Reply): string {
  const decode = DECODERS[headers['content-encoding'] ?? ''] ?? ((plain) => plain)
  return withoutVariations(decode(bytes).toString())
}

/** What may not differ between a page from memory and one that was made for the request. */
function lasting({ headers }: Reply) {
  const { date, etag, vary, 'content-length': length, 'transfer-encoding': transfer, ...others } = headers
  return others
}

describe('a page from memory', () => {
  const site = guardedSite()
  const get = (path: string, headers: Record<string, string> = {}) => ask(site(), `GET ${path}`, { headers })
  beforeAll(async () => {
    // Once an event is stored, the call for it has a tag of its own.
    const headers = { cookie: await signIn(site()) }
    expect((await ask(site(), 'POST /api/event', { json: testEvent(), headers })).status).toBe(200)
    await keepAll(site())
  })

  it.each(KEPT_PATHS)('is the one that is made for a request, and its headers alone for HEAD: %s', async (path) => {
    for (const encoding of ['identity', 'gzip', 'br']) {
      const headers = { 'accept-encoding': encoding }
      const [kept, made] = [await get(path, headers), await get(`${path}?before`, headers)]
      expect([kept.status, textOf(kept)]).toEqual([200, textOf(made)])
      expect(lasting(kept)).toEqual(lasting(made))
      expect(Number(kept.headers['content-length'])).toBe(kept.bytes.length)
      const head = await ask(site(), `HEAD ${path}`, { headers })
      expect([head.status, head.body, { ...head.headers, date: '' }]).toEqual([200, '', { ...kept.headers, date: '' }])
    }
  })

  it.each<[string, string | undefined]>([
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['br;q=0.1, gzip;q=0.9', 'gzip'],
    ['deflate', undefined],
    ['gzip;q=0', undefined],
    ['', undefined],
  ])('is compressed as the client asks: %s', async (accepted, expected) => {
    const reply = await get('/share', { 'accept-encoding': accepted })
    const { 'content-encoding': encoding, vary } = reply.headers
    expect([encoding, vary]).toEqual([expected, 'accept-encoding, accept-language, cookie'])
    expect(textOf(reply)).toMatch(/^<!DOCTYPE html>[\s\S]+<\/html>$/i)
  })

  it('is whole for a range, for HTTP/1.0, and when several are sent ahead', async () => {
    expect((await get('/share', { range: 'bytes=0-9' })).status).toBe(200)
    const { host } = new URL(site().url)
    const old = await exchange(site(), `GET /share HTTP/1.0\r\nHost: ${host}\r\n\r\n`)
    expect(old.text).toMatch(/^HTTP\/1\.1 200[\s\S]+<\/html>$/)
    const ahead = `GET /share HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(5)
    const { text } = await exchange(site(), `${ahead}HEAD / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(6)
    expect(text.match(/<\/html>/g)).toHaveLength(5)
  })

  it('has a form of its own for each visitor, drawn at that moment', async () => {
    const before = Date.now()
    const replies = await Promise.all(Array.from({ length: 20 }, () => get('/share')))
    expect(new Set(replies.map(formKeyIn)).size).toBe(20)
    for (const { body } of replies)
      expect(Number(/name="drawnAt" value="(\d{13})"/.exec(body)?.[1])).toBeGreaterThanOrEqual(before - 1)
  })

  it('is not given to who sends a session, and to all others whatever they send', async () => {
    // Only what is kept says how it varies where nothing is compressed.
    const isKept = async (path: string, headers: Record<string, string> = {}) =>
      'vary' in (await get(path, headers)).headers
    expect(await isKept('/', { cookie: await signIn(site()) })).toBe(false)
    for (const [name, value] of Object.entries({
      cookie: 'other=1',
      accept: 'text/plain',
      authorization: 'Basic eDp5',
    }))
      expect(await isKept('/', { [name]: value })).toBe(true)
    expect(await isKept('/?%62efore=5')).toBe(false)
  })
})

describe('pages from memory', () => {
  const site = guardedSite()
  const minute = () => Math.floor(Date.now() / 60_000)

  it('take no statement of the database, and invented names neither push them out nor stand on them', async () => {
    // In the next minute they are made anew: then it cannot be told, and is tried again.
    for (let started = -1, tries = 0; started !== minute() && tries < 3; tries += 1) {
      started = minute()
      // More than are kept. Those that people ask for stay.
      for (let number = 0; number < 210; number += 1) {
        if (number % 60 === 0) await keepAll(site())
        const headers = { host: `name-${number}.local` }
        expect((await ask(site(), 'GET /api/features', { headers })).status).toBe(200)
        if (number % 60 === 0)
          expect((await ask(site(), 'GET /share', { headers })).body).toContain(encodeURIComponent(headers.host))
      }
      const release = await holdLock(join(site().folder, 'rsvp.db'))
      const replies = await Promise.all(KEPT_PATHS.map((path) => ask(site(), `GET ${path}`)))
      await release()
      if (started !== minute()) continue
      expect(replies.map(({ status, body }) => [status, /name-\d/.test(body)])).toEqual(
        KEPT_PATHS.map(() => [200, false]),
      )
    }
  })
})
