import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { testEvent } from '#db/fixtures.ts'
import { ask, exchange, type Reply, withoutVariations } from '#site/scenarios/fixtures.ts'
import { guardedSite, signIn } from '#site/scenarios/guarded-fixtures.ts'
import { drawnAtIn, formKeyIn, KEPT_PATHS, keepAll } from './fixtures.ts'

const DECODERS: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync }

function textOf({ headers, bytes }: Reply): string {
  const decode = DECODERS[headers['content-encoding'] ?? ''] ?? ((plain) => plain)
  return withoutVariations(decode(bytes).toString())
}

/** What may differ between a page from memory and one that was made for the request. */
function lasting({ headers }: Reply) {
  const { date, etag, vary, 'content-length': length, 'transfer-encoding': transfer, ...others } = headers
  return others
}

describe('a page from memory', () => {
  const site = guardedSite()
  beforeAll(async () => {
    // Once an event is stored, the call for it has a tag of its own.
    const headers = { cookie: await signIn(site()) }
    expect((await ask(site(), 'POST /api/event', { json: testEvent(), headers })).status).toBe(200)
    await keepAll(site())
  })

  it.each(KEPT_PATHS)('is the one that is made for a request: %s', async (path) => {
    for (const encoding of ['identity', 'gzip', 'br']) {
      const headers = { 'accept-encoding': encoding }
      const [kept, made] = [
        await ask(site(), `GET ${path}`, { headers }),
        await ask(site(), `GET ${path}?before`, { headers }),
      ]
      expect([kept.status, textOf(kept)]).toEqual([200, textOf(made)])
      expect(lasting(kept)).toEqual(lasting(made))
      expect(Number(kept.headers['content-length'])).toBe(kept.bytes.length)
    }
  })

  it.each(KEPT_PATHS)('has the headers alone for HEAD: %s', async (path) => {
    const [head, get] = [await ask(site(), `HEAD ${path}`), await ask(site(), `GET ${path}`)]
    expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' })
    expect([head.status, head.body]).toEqual([200, ''])
  })

  it.each<[string, string | undefined]>([
    ['br, gzip', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['br;q=0.1, gzip;q=0.9', 'gzip'],
    ['identity', undefined],
    ['deflate', undefined],
    ['identity;q=0', undefined],
    ['gzip;q=0', undefined],
    ['', undefined],
  ])('is compressed as the client asks: %s', async (accepted, expected) => {
    const reply = await ask(site(), 'GET /share', { headers: { 'accept-encoding': accepted } })
    expect([reply.headers['content-encoding'], reply.headers.vary]).toEqual([
      expected,
      'accept-encoding, accept-language, cookie',
    ])
    expect(textOf(reply)).toMatch(/^<!DOCTYPE html>[\s\S]+<\/html>$/i)
  })

  it('is not sent again to who has it, if it has no form', async () => {
    const { headers } = await ask(site(), 'GET /privacy')
    const tag = String(headers.etag)
    for (const sent of [tag, `"other", ${tag}`, '*', tag.replace('W/', '')]) {
      const reply = await ask(site(), 'GET /privacy', { headers: { 'if-none-match': sent } })
      expect([sent, reply.status, reply.body]).toEqual([sent, 304, ''])
      expect(reply.headers).toMatchObject({ 'cache-control': 'private, no-cache', 'x-frame-options': 'DENY' })
    }
    expect((await ask(site(), 'GET /privacy', { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
    for (const path of ['/share', '/', '/api/features', '/api/event'])
      expect((await ask(site(), `GET ${path}`, { headers: { 'if-none-match': '*' } })).status).toBe(200)
  })

  it('is not sent again to a program that subscribed to the calendar', async () => {
    const { headers } = await ask(site(), 'GET /calendar.ics')
    const reply = await ask(site(), 'GET /calendar.ics', { headers: { 'if-none-match': String(headers.etag) } })
    expect([reply.status, reply.body]).toEqual([304, ''])
  })

  it('is whole for a range, for HTTP/1.0, and when several are sent ahead', async () => {
    expect((await ask(site(), 'GET /share', { headers: { range: 'bytes=0-9' } })).status).toBe(200)
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
    const replies = await Promise.all(Array.from({ length: 20 }, () => ask(site(), 'GET /share')))
    expect(new Set(replies.map(formKeyIn)).size).toBe(20)
    for (const reply of replies) expect(drawnAtIn(reply)).toBeGreaterThanOrEqual(before - 1)
  })

  it('is not given to who sends a session, and to all others whatever they send', async () => {
    const cookie = await signIn(site())
    const { headers } = await ask(site(), 'GET /', { headers: { cookie } })
    // Only what is kept says so where nothing is compressed.
    expect(headers).not.toHaveProperty('vary')
    const others: Record<string, string>[] = [
      { cookie: 'other=1' },
      { accept: 'text/plain' },
      { authorization: 'Basic eDp5' },
    ]
    for (const sent of others) expect((await ask(site(), 'GET /', { headers: sent })).headers).toHaveProperty('vary')
  })

  it.each([
    ['/share?fbclid=IwAR0&utm_source=whatsapp', true],
    ['/?v=2', true],
    ['/privacy?', true],
    ['/share?thanks=1', false],
    ['/?x=1?&before=5', false],
    ['/?%62efore=5', false],
    ['/api/features?fbclid=IwAR0', false],
  ])('is sent for a query that it does not read: %s', async (url, isKept) => {
    // Only what is kept says so where nothing is compressed.
    expect('vary' in (await ask(site(), `GET ${url}`)).headers).toBe(isKept)
  })

  it('shows the name under which the site was asked, however many are made up', async () => {
    for (let number = 0; number < 30; number += 1) {
      const { status, body } = await ask(site(), 'GET /share', { headers: { host: `name-${number}.local` } })
      expect([status, body.includes(encodeURIComponent(`http://name-${number}.local`))]).toEqual([200, true])
    }
  })
})

describe('pages from memory', () => {
  const site = guardedSite({ PUBLIC_URL: 'http://localhost' })

  it('take no statement of the database: they are there while another process has locked it', async () => {
    // In the next minute they are made anew: then it cannot be told.
    const minute = () => Math.floor(Date.now() / 60_000)
    const started = minute()
    await keepAll(site())
    const script = join(import.meta.dirname, '../../../scripts/testing/lock-database.mjs')
    const holder = spawn(process.execPath, [script, join(site().folder, 'rsvp.db'), '600000', '1'])
    try {
      await once(holder.stdout, 'data')
      const replies = await Promise.all(KEPT_PATHS.map((path) => ask(site(), `GET ${path}`)))
      if (minute() === started) expect(replies.map(({ status }) => status)).toEqual(KEPT_PATHS.map(() => 200))
    } finally {
      holder.kill('SIGKILL')
      await once(holder, 'close')
    }
  })
})
