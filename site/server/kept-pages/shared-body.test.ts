import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
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

/** Text compresses, random bytes do not. */
const bodies = fc.oneof(
  fc.uint8Array({ maxLength: 70_000 }).map((bytes) => Buffer.from(bytes)),
  fc.string({ maxLength: 3000 }).map((text) => Buffer.from(text.repeat(20))),
)
const ends = fc.uint8Array({ maxLength: 3000 }).map((bytes) => Buffer.from(bytes))

describe.each(encodings)('a shared body as %s', (encoding) => {
  it('is followed by any end', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, ends, async (shared, end) => {
        expect((await decoded(shared, end, encoding)).equals(Buffer.concat([shared, end]))).toBe(true)
      }),
      { numRuns: 200 },
    )
  })

  it.each([0, 1, 255, 256, 4096, 65_535])('is followed by %i bytes', async (length) => {
    const [shared, end] = [Buffer.from('<p>Hello</p>'.repeat(1000)), Buffer.alloc(length, '<b>')]
    expect((await decoded(shared, end, encoding)).equals(Buffer.concat([shared, end]))).toBe(true)
  })

  it('is compressed once for all ends', async () => {
    const body = sharedBody(Buffer.from('<p>Hello</p>'.repeat(1000)))
    const atOnce = await Promise.all(['a', 'b'].map((end) => body.endingWith(Buffer.from(end), encoding)))
    const later = await body.endingWith(Buffer.from('c'), encoding)
    for (const [start] of [...atOnce, later]) expect(start).toBe(later[0])
  })
})
