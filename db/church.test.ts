import sharp from 'sharp'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { db } from '#db/storage/client.ts'
import { auditEntries } from '#db/tables/access.ts'
import { churches, churchPictures } from '#db/tables/invitation.ts'
import type { Church } from '#db/values/church.ts'
import { auditLines, describeOnBothDatabases, emptyTables, testCall } from '#testing/database-fixtures.ts'
import { changeChurch, findPicture, getChurch, preparePicture, removePicture, storePicture } from './church.ts'
import { testPicture } from './church-fixtures.ts'

const call = testCall()
const nothing: Church = { name: null, accent: 'plum', pictureAlt: null, picture: null }

describeOnBothDatabases('the church', () => {
  beforeEach(() => emptyTables(churches, churchPictures, auditEntries))

  it('is changed text by text or at once, and returned whole; the audit contains no text', async () => {
    const named = { ...nothing, name: 'Grace Church' }
    expect(await getChurch()).toEqual(nothing)
    expect(await changeChurch({ name: '  Grace Church ' }, call)).toEqual(named)
    expect(await changeChurch({ accent: 'teal' }, call)).toEqual({ ...named, accent: 'teal' })
    const whole = { name: 'Zion', accent: 'slate', pictureAlt: 'The church in spring' } as const
    expect(await changeChurch(whole, call)).toEqual({ ...whole, picture: null })
    expect((await auditLines()).at(-1)).toBe('terminal: church changed name accent pictureAlt')
    expect(await getChurch()).toEqual({ ...whole, picture: null })
    expect(await changeChurch({ name: null, accent: 'plum', pictureAlt: '' }, call)).toEqual(nothing)
  })

  const color = 'Choose one of these colors: plum, rose, bronze, olive, teal, blue, indigo, slate.'
  const oneLine = 'The name of the church holds a line break or another control. Type it in one line.'

  it.each([
    [{}, 'Name at least one of name, accent and pictureAlt.'],
    [null, 'Send a JSON object.'],
    [{ name: 'Zion', picture: null }, 'Send name, accent, pictureAlt, or several of them.'],
    [{ name: 'x'.repeat(81) }, 'The name of the church may have at most 80 characters.'],
    [{ name: 'Grace\nChurch' }, oneLine],
    [{ name: 'Grace \ud800' }, 'The name of the church holds a character that cannot be stored. Type it again.'],
    [{ accent: '#6a3460' }, color],
    [{ accent: null }, color],
    [{ pictureAlt: 'x'.repeat(301) }, 'The description of the picture may have at most 300 characters.'],
  ])('refuses %j', async (change, message) => {
    await expect(changeChurch(change, call)).rejects.toMatchObject({ code: 'invalid', fields: [{ message }] })
    expect(await getChurch()).toEqual(nothing)
    expect(await auditLines()).toEqual([])
  })
})

const twoSizes = [
  { width: 800, height: 450 },
  { width: 1000, height: 563 },
]

describeOnBothDatabases('the picture of the church', () => {
  let prepared: Awaited<ReturnType<typeof preparePicture>>
  beforeAll(async () => {
    prepared = await preparePicture(await testPicture())
  })
  beforeEach(() => emptyTables(churches, churchPictures, auditEntries))

  it('is stored in its sizes, and can be read by them', async () => {
    const { picture } = await storePicture(prepared, call)
    expect(picture).toEqual({ hash: expect.stringMatching(/^[\da-f]{16}$/), sizes: twoSizes })
    expect((await getChurch()).picture).toEqual(picture)
    for (const { width } of twoSizes) {
      const stored = await findPicture({ hash: picture?.hash, width })
      expect(stored?.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
    }
    expect(await findPicture({ hash: picture?.hash, width: 801 })).toBeUndefined()
    expect(await findPicture({ hash: 'other', width: 800 })).toBeUndefined()
    expect(await auditLines()).toEqual(['terminal: church changed picture'])
  })

  it('is replaced in all sizes; the texts stay', async () => {
    await changeChurch({ name: 'Grace Church', pictureAlt: 'The church' }, call)
    const { picture: first } = await storePicture(prepared, call)
    const second = await storePicture(await preparePicture(await testPicture({ width: 500 })), call)
    expect(second).toMatchObject({ name: 'Grace Church', pictureAlt: 'The church' })
    expect(second.picture?.sizes).toEqual([{ width: 500, height: 281 }])
    expect(await findPicture({ hash: first?.hash, width: 800 })).toBeUndefined()
    expect(await db.select({ width: churchPictures.width }).from(churchPictures)).toEqual([{ width: 500 }])
  })

  it('is removed with its description, even if there is none', async () => {
    await storePicture(prepared, call)
    await changeChurch({ name: 'Grace Church', pictureAlt: 'The church' }, call)
    const removed = { ...nothing, name: 'Grace Church' }
    expect(await removePicture(call)).toEqual(removed)
    expect(await removePicture(call)).toEqual(removed)
    expect((await auditLines()).at(-1)).toBe('terminal: church changed picture removed')
  })
})

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

/** The color in the middle of the upper or the lower half. */
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
  ])('cuts %i × %i to its shape, and enlarges nothing: %s', async (width, height, sides) => {
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

  it('turns it upright, and keeps no metadata', async () => {
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

  it('puts white behind transparent parts', async () => {
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

/** Writes another height into the header. */
function withHeight(jpeg: Buffer, height: number): Buffer {
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  jpeg.writeUInt16BE(height, frame + 5)
  return jpeg
}
