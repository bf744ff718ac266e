import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { testPicture } from './picture-fixtures.ts'
import { preparePicture } from './prepare-picture.ts'

type Prepared = Awaited<ReturnType<typeof preparePicture>>

const invalid = 'invalid'
const unsupported = 'unsupported-media-type'
const other = 'This is not a picture that the site can read. Save it as JPEG, PNG, WebP or AVIF, then send that.'
const heic =
  'This is a HEIC picture, as iPhones store them, which the site cannot read. Export it as JPEG, then send that.'
const broken = 'The picture cannot be read: it is damaged or incomplete. Save it again, then send that file.'

function sidesOf({ sizes }: Prepared): string {
  return sizes.map(({ width, height }) => `${width} × ${height}`).join(', ')
}

/** The color in the middle of the upper or of the lower half. */
async function colorAt(picture: Buffer, place: 'top' | 'bottom'): Promise<string> {
  const { width = 0, height = 0 } = await sharp(picture).metadata()
  const top = Math.round(height * (place === 'top' ? 0.25 : 0.75))
  const pixel = await sharp(picture)
    .extract({ left: width >> 1, top, width: 1, height: 1 })
    .raw()
    .toBuffer()
  return Array.from(pixel, (part) => (part >> 5).toString()).join('')
}

describe('preparePicture', () => {
  it.each(['jpeg', 'png', 'webp', 'avif'] as const)('makes JPEG in two sizes of %s', async (format) => {
    const prepared = await preparePicture(await testPicture({ format }))
    expect(sidesOf(prepared)).toBe('800 × 450, 1000 × 563')
    expect(prepared.hash).toMatch(/^[\da-f]{16}$/)
    for (const { bytes, width } of prepared.sizes)
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width, space: 'srgb', hasProfile: false })
  })

  it.each([
    [3000, 1500, '800 × 450, 1600 × 900'],
    [1500, 3000, '800 × 450, 1500 × 844'],
    [700, 500, '700 × 394'],
  ])('cuts of %i × %i what is shown, and nothing larger: %s', async (width, height, sides) => {
    expect(sidesOf(await preparePicture(await testPicture({ width, height })))).toBe(sides)
  })

  it('keeps what draws attention, wherever it is', async () => {
    const base = { create: { width: 900, height: 1800, channels: 3, background: '#c9a227' } } as const
    const steeple = await testPicture({ width: 300, height: 300 })
    const high = await sharp(base)
      .composite([{ input: steeple, top: 30, left: 300 }])
      .jpeg()
      .toBuffer()
    const [small] = (await preparePicture(high)).sizes
    const { channels } = await sharp(small?.bytes).stats()
    const [red, , blue] = channels.map(({ min, max }) => max - min)
    expect([red, blue].every((range) => (range ?? 0) > 60)).toBe(true)
  })

  it.each([
    ['a camera', 40],
    ['nothing but details', 128],
  ])('stays below what chats show, with the noise of %s', async (_, sigma) => {
    const noise = { type: 'gaussian', mean: 128, sigma } as const
    const create = { width: 2000, height: 1200, channels: 3, background: '#888', noise } as const
    const [, large] = (await preparePicture(await sharp({ create }).jpeg().toBuffer())).sizes
    expect(large?.bytes.length).toBeLessThanOrEqual(300_000)
  })

  it('turns it upright and keeps nothing of where and with what it was taken', async () => {
    const exif = { IFD0: { Make: 'Kanarie' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } }
    const upsideDown = await sharp(await testPicture())
      .withMetadata({ orientation: 3, icc: 'p3' })
      .withExifMerge(exif)
      .toBuffer()
    expect(upsideDown.includes('Kanarie')).toBe(true)
    expect(await sharp(upsideDown).metadata()).toMatchObject({ orientation: 3, hasProfile: true })
    for (const { bytes } of (await preparePicture(upsideDown)).sizes) {
      expect(bytes.includes('Kanarie') || bytes.includes('Exif')).toBe(false)
      const { exif: kept, icc, xmp, orientation } = await sharp(bytes).metadata()
      expect([kept, icc, xmp, orientation]).toEqual([undefined, undefined, undefined, undefined])
      expect(await colorAt(bytes, 'bottom')).toBe(await colorAt(await testPicture(), 'top'))
    }
  })

  it('puts white behind what can be seen through', async () => {
    const clear = {
      create: { width: 300, height: 300, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    } as const
    const [only] = (await preparePicture(await sharp(clear).png().toBuffer())).sizes
    expect(await colorAt(only?.bytes ?? Buffer.alloc(0), 'top')).toBe('777')
  })

  it.each<[string, () => Promise<Buffer>, string, string]>([
    ['an SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), unsupported, other],
    ['a HEIC', async () => Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'), unsupported, heic],
    ['half a JPEG', async () => cut(await testPicture()), invalid, broken],
    ['a JPEG that is none', async () => Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]), invalid, broken],
    [
      'a picture that no one would recognize',
      () => testPicture({ width: 400, height: 100 }),
      invalid,
      'The picture is too small. Send one that is at least 200 pixels wide and high.',
    ],
    [
      'a small file with very many pixels',
      () => testPicture({ width: 6000, height: 2001, format: 'png' }),
      invalid,
      'The picture has more than 12 million pixels. Make it smaller, then send it again.',
    ],
    [
      'a JPEG that says it has more than any camera',
      async () => withHeight(await testPicture({ width: 9000, height: 300 }), 9000),
      invalid,
      'The picture has more than 50 million pixels. Make it smaller, then send it again.',
    ],
  ])('refuses %s', async (_, make, code, message) => {
    const bytes = await make()
    await expect(preparePicture(bytes)).rejects.toMatchObject({ name: 'UserError', code, message })
  })
})

function cut(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length / 2)
}

/** With another height in its header. */
function withHeight(jpeg: Buffer, height: number): Buffer {
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  jpeg.writeUInt16BE(height, frame + 5)
  return jpeg
}
