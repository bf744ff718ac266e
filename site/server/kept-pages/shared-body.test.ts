import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type Encoding, sharedBody } from './shared-body.ts'

const DECODERS: Record<Encoding, (bytes: Buffer) => Buffer> = {
  identity: (bytes) => bytes,
  gzip: gunzipSync,
  br: brotliDecompressSync,
}
const encodings: Encoding[] = ['identity', 'gzip', 'br']

async function decoded(shared: Buffer, end: Buffer, encoding: Encoding): Promise<Buffer> {
  return DECODERS[encoding](Buffer.concat(await sharedBody(shared).endingWith(end, encoding)))
}

/** Text compresses, noise does not. */
const noise = (length: number) => Buffer.from(Array.from({ length }, (_, place) => (place * place * 7919) >> 5))
const text = Buffer.from('<p>Hello</p>'.repeat(1000))

describe.each(encodings)('a shared body as %s', (encoding) => {
  it.each([0, 1, 255, 256, 4096, 65_535])('is followed by %i bytes', async (length) => {
    for (const shared of [Buffer.alloc(0), text, noise(70_000)])
      for (const end of [Buffer.alloc(length, '<b>'), noise(length)])
        expect((await decoded(shared, end, encoding)).equals(Buffer.concat([shared, end]))).toBe(true)
  })

  it('is compressed once for all ends', async () => {
    const body = sharedBody(text)
    const atOnce = await Promise.all(['a', 'b'].map((end) => body.endingWith(Buffer.from(end), encoding)))
    const later = await body.endingWith(Buffer.from('c'), encoding)
    for (const [start] of [...atOnce, later]) expect(start).toBe(later[0])
  })
})
