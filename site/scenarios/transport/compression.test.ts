import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { ask, assetPaths, testSite, withoutVariations } from '#site/scenarios/fixtures.ts'

const site = testSite()
/** Bytes: a script that only names another one is shorter than its compressed form. */
const WORTHWHILE = 200
const DECODERS: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync }

describe('compression', () => {
  it.each(['br', 'gzip'])('of assets was done once, by the build: %s', async (encoding) => {
    for (const path of await assetPaths(site())) {
      const plain = await ask(site(), `GET ${path}`)
      if (plain.bytes.length < WORTHWHILE) continue
      const packed = await ask(site(), `GET ${path}`, { headers: { 'accept-encoding': encoding } })
      expect(packed.headers, path).toMatchObject({
        'content-encoding': encoding,
        vary: expect.stringMatching(/accept-encoding/i),
        'content-type': plain.headers['content-type'],
      })
      // A known length: it was not compressed on the way out.
      expect(Number(packed.headers['content-length'])).toBe(packed.bytes.length)
      expect(packed.bytes.length).toBeLessThan(plain.bytes.length)
      expect(DECODERS[encoding]?.(packed.bytes).equals(plain.bytes)).toBe(true)
    }
  })

  it.each(['br', 'gzip'])('of pages and calls is done on the way out: %s', async (encoding) => {
    for (let number = 0; number < 5; number++)
      await ask(site(), 'POST /api/rsvp', { json: testRsvp({ message: 'Grüße '.repeat(100) }) })
    for (const path of ['/share', '/admin', '/nope', '/api/rsvps', '/api/rsvps?limit=5', '/api/rsvps/download']) {
      const plain = await ask(site(), `GET ${path}`)
      const packed = await ask(site(), `GET ${path}`, { headers: { 'accept-encoding': encoding } })
      expect({ path, encoding: packed.headers['content-encoding'] }).toEqual({ path, encoding })
      expect(packed.headers.vary).toMatch(/accept-encoding/i)
      expect(withoutVariations(DECODERS[encoding]?.(packed.bytes).toString())).toBe(withoutVariations(plain.body))
    }
  })
})
