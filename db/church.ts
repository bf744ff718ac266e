import { createHash } from 'node:crypto'
import { and, eq, getTableColumns } from 'drizzle-orm'
import * as z from 'zod/mini'
import { audit } from '#db/audit.ts'
import { type Call, parseInput } from '#db/call.ts'
import { db, transaction } from '#db/storage/client.ts'
import { withDeadline } from '#db/storage/deadline.ts'
import { churches, churchPictures, nextRevision, schedules } from '#db/tables/invitation.ts'
import { type Church, churchChange, preparedPicture, usualAccent } from '#db/values/church.ts'
import { UserError } from '#db/values/errors.ts'

const { id: _id, ...textColumns } = getTableColumns(churches)

const storedTexts = db.select(textColumns).from(churches).prepare()

const storedSizes = db
  .select({ hash: churchPictures.hash, width: churchPictures.width, height: churchPictures.height })
  .from(churchPictures)
  .orderBy(churchPictures.width)
  .prepare()

/** Texts and a picture that are not set are null. Does not read the bytes of the picture. */
export async function getChurch(): Promise<Church> {
  const [[texts], sizes] = await Promise.all([storedTexts.all(), storedSizes.all()])
  const [first] = sizes
  const picture = first && { hash: first.hash, sizes: sizes.map(({ width, height }) => ({ width, height })) }
  return { ...(texts ?? { name: null, accent: usualAccent, pictureAlt: null }), picture: picture ?? null }
}

export async function changeChurch(input: unknown, call: Call): Promise<Church> {
  const change = parseInput(churchChange, input)
  await transaction(async (tx) => {
    // Calendar entries contain its name.
    await tx.update(schedules).set({ revision: nextRevision(call.now) })
    await tx.insert(churches).values(change).onConflictDoUpdate({ target: churches.id, set: change })
    await audit(tx, call, 'church changed', Object.keys(change).join(' '))
  })
  return getChurch()
}

const pictureSize = z.object({ hash: z.string(), width: z.coerce.number() })

/** One size of the picture, as JPEG; undefined if the picture was replaced or removed. */
export async function findPicture(input: unknown): Promise<Buffer | undefined> {
  const { hash, width } = parseInput(pictureSize, input)
  const [row] = await db
    .select({ bytes: churchPictures.bytes })
    .from(churchPictures)
    .where(and(eq(churchPictures.hash, hash), eq(churchPictures.width, width)))
  return row?.bytes
}

/** Replaces the stored picture in all its sizes, and keeps its description. */
export async function storePicture(input: unknown, call: Call): Promise<Church> {
  const { hash, sizes } = parseInput(preparedPicture, input)
  // Preparing the picture may have used up the deadline of the request.
  return withDeadline(async () => {
    await transaction(async (tx) => {
      await tx.delete(churchPictures)
      await tx
        .insert(churchPictures)
        .values(sizes.map(({ bytes, ...size }) => ({ ...size, hash, bytes: Buffer.from(bytes) })))
      await audit(tx, call, 'church changed', 'picture')
    })
    return getChurch()
  })
}

/** Removes the picture, if there is one, with its description. */
export async function removePicture(call: Call): Promise<Church> {
  await transaction(async (tx) => {
    await tx.delete(churchPictures)
    await tx.update(churches).set({ pictureAlt: null })
    await audit(tx, call, 'church changed', 'picture removed')
  })
  return getChurch()
}

type PreparedPicture = {
  hash: string
  /** As JPEG, the smallest first. */
  sizes: { width: number; height: number; bytes: Buffer }[]
}

/** The shape of the picture above the invitation. */
const SHAPE = 16 / 9
/** For wide screens and chats: WhatsApp shows no picture above 300 kB. */
const LARGE = { width: 1600, bytesMaximum: 200_000 }
const FOR_PHONES = { width: 800, bytesMaximum: 80_000 }
const QUALITIES = [82, 66, 50, 34]
const SIDE_MINIMUM = 200
const TIMEOUT_S = 20

const others = 'This is not a picture that the site can read. Save it as JPEG, PNG, WebP or AVIF, then send that.'
const heic =
  'This is a HEIC picture, as iPhones store them, which the site cannot read. Export it as JPEG, then send that.'
const tooSmall = `The picture is too small. Send one that is at least ${SIDE_MINIMUM} pixels wide and high.`
const broken = 'The picture cannot be read: it is damaged or incomplete. Save it again, then send that file.'
const tooSlow = 'The picture takes too long to read. Make it smaller, then send it again.'
const notHere =
  'Pictures cannot be prepared on this computer: the package sharp does not run here. Install the site again with `npm ci`.'

/** The first bytes of each format, read as Latin-1; a dot is any byte. */
const JPEG = /^\xff\xd8\xff/
const OTHERS = [/^\x89PNG\r\n/, /^RIFF....WEBP/s, /^....ftyp(mif1....(....)*)?avi[fs]/s]
const HEIC = /^....ftyp(hei|hev|mif1|msf1)/s
const BEGINNING = 32

/**
 * Phones take pictures of 50 million pixels. A JPEG is scaled down while it is decoded; other formats are decoded whole,
 * and 12 million pixels take 200 MB. Even a small file can claim any size.
 */
const PIXELS_OF_JPEG = 50_000_000
const PIXELS_OF_OTHERS = 12_000_000

/**
 * Re-encodes a picture upright, small and without metadata, e.g. when and where it was taken, and cuts it to its shape
 * around what draws attention.
 * @throws UserError 'invalid' or 'unsupported-media-type' if it cannot be read.
 */
export async function preparePicture(uploaded: Uint8Array): Promise<PreparedPicture> {
  const pixelsMaximum = pixelsMaximumOf(uploaded)
  const sharp = await loadSharp()
  const options = { limitInputPixels: pixelsMaximum, failOn: 'error' } as const
  const refuse = (error: Error) => Promise.reject(pictureError(error, pixelsMaximum))
  const { autoOrient: upright } = await sharp(uploaded, options).metadata().catch(refuse)
  if (Math.min(upright.width, upright.height) < SIDE_MINIMUM) throw new UserError('invalid', tooSmall)
  const width = Math.min(LARGE.width, upright.width, Math.floor(upright.height * SHAPE))
  const cut = await sharp(uploaded, options)
    .timeout({ seconds: TIMEOUT_S })
    .autoOrient()
    .resize({ width, height: Math.round(width / SHAPE), position: 'attention' })
    .flatten({ background: '#fff' })
    .toColorspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(refuse)

  async function encode(size: typeof LARGE, qualities = QUALITIES) {
    const [quality = 0, ...lower] = qualities
    const { data, info } = await sharp(cut.data, { raw: cut.info })
      .resize({ width: size.width, withoutEnlargement: true })
      .jpeg({ quality, mozjpeg: true })
      .toBuffer({ resolveWithObject: true })
    if (data.length > size.bytesMaximum && lower.length > 0) return encode(size, lower)
    return { width: info.width, height: info.height, bytes: data }
  }

  const large = await encode(LARGE)
  const hash = createHash('sha256').update(large.bytes).digest('hex').slice(0, 16)
  const small = await encode(FOR_PHONES)
  return { hash, sizes: small.width < large.width ? [small, large] : [large] }
}

/**
 * How many pixels a picture may have, by the format that its first bytes show. SVG is refused: it can contain scripts.
 * @throws UserError 'unsupported-media-type' for all but JPEG, PNG, WebP and AVIF.
 */
function pixelsMaximumOf(bytes: Uint8Array): number {
  const beginning = Buffer.from(bytes.subarray(0, BEGINNING)).toString('latin1')
  if (JPEG.test(beginning)) return PIXELS_OF_JPEG
  if (OTHERS.some((format) => format.test(beginning))) return PIXELS_OF_OTHERS
  throw new UserError('unsupported-media-type', HEIC.test(beginning) ? heic : others)
}

/** Loaded with the first picture: it takes 20 MB of memory. */
async function loadSharp() {
  const { default: sharp } = await import('sharp').catch(() => {
    throw new UserError('configuration', notHere)
  })
  sharp.cache(false)
  sharp.concurrency(1)
  // Loaders of other formats have had vulnerabilities, and are not needed.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['Jpeg', 'Png', 'Webp', 'Heif'].map((format) => `VipsForeignLoad${format}`) })
  return sharp
}

/** Replaces an error of sharp, which is about the picture, by a sentence that people understand. */
function pictureError({ message }: Error, pixelsMaximum: number): UserError {
  const tooMany = `The picture has more than ${pixelsMaximum / 1e6} million pixels. Make it smaller, then send it again.`
  if (/pixel limit/.test(message)) return new UserError('invalid', tooMany)
  return new UserError('invalid', /timeout/.test(message) ? tooSlow : broken)
}
