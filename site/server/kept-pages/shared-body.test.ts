import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { sharedBody } from './shared-body.ts'

/** Text compresses, noise does not. */
const noise = (length: number) => Buffer.from(Array.from({ length }, (_, place) => (place * place * 7919) >> 5))
const text = Buffer.from('<p>Hello</p>'.repeat(1000))

it.each([
  ['gzip', gunzipSync],
  ['br', brotliDecompressSync],
] as const)('a shared body as %s is compressed once, and followed by any end', async (encoding, decode) => {
  for (const shared of [Buffer.alloc(0), text, noise(70_000)]) {
    const body = sharedBody(shared)
    const [first] = await body.endingWith(Buffer.from('a'), encoding)
    for (const end of [0, 1, 255, 256, 65_535].map(noise)) {
      const pieces = await body.endingWith(end, encoding)
      expect(decode(Buffer.concat(pieces)).equals(Buffer.concat([shared, end]))).toBe(true)
      expect(pieces[0]).toBe(first)
    }
  }
})
