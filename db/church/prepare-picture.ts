import { createHash } from 'node:crypto'
import { UserError } from '#db/errors.ts'
import { pixelsMaximumOf } from './operations.ts'

export type PreparedPicture = {
  hash: string
  /** As JPEG, the smallest first. */
  sizes: PreparedSize[]
}
type PreparedSize = { width: number; height: number; bytes: Buffer }

type Size = { side: number; bytesMaximum: number }
/** For wide screens. `side` is the longer one, in pixels. */
const LARGE: Size = { side: 1600, bytesMaximum: 200_000 }
/** For phones. */
const SMALL: Size = { side: 800, bytesMaximum: 80_000 }
const SIDE_MINIMUM = 200
const TIMEOUT_S = 20

const QUALITY_MAXIMUM = 82
const QUALITY_MINIMUM = 34
const QUALITY_STEP = 8
/** If the file is this many times too large, only the lowest quality can help. */
const EXCESS_OF_STEPS = 2.5
/** If even the lowest quality is too large, scale down by this much more than calculated. */
const SHRINKING = 0.95

const tooSmall = `The picture is too small. Send one that is at least ${SIDE_MINIMUM} pixels wide and high.`
const broken = 'The picture cannot be read: it is damaged or incomplete. Save it again, then send that file.'
const tooSlow = 'The picture takes too long to read. Make it smaller, then send it again.'
const notHere =
  'Pictures cannot be prepared on this computer: the package sharp does not run here. Install the site again with `npm ci`.'

/**
 * Re-encodes a picture upright, small and without metadata, e.g. when and where it was taken.
 * @throws UserError 'invalid' or 'unsupported-media-type' if it cannot be read.
 */
export async function preparePicture(uploaded: Uint8Array): Promise<PreparedPicture> {
  const pixelsMaximum = pixelsMaximumOf(uploaded)
  const sharp = await loadSharp()
  // Decoded once, to at most 8 MB.
  const decoded = await sharp(uploaded, { limitInputPixels: pixelsMaximum, failOn: 'error' })
    .timeout({ seconds: TIMEOUT_S })
    .autoOrient()
    .resize({ width: LARGE.side, height: LARGE.side, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .toColorspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch((error: Error) => Promise.reject(pictureError(error, pixelsMaximum)))
  const { width, height, channels } = decoded.info
  if (Math.min(width, height) < SIDE_MINIMUM) throw new UserError('invalid', tooSmall)
  const encode = async (size: Size, quality = QUALITY_MAXIMUM): Promise<PreparedSize> => {
    const { data, info } = await sharp(decoded.data, { raw: { width, height, channels } })
      .resize({ width: size.side, height: size.side, fit: 'inside', withoutEnlargement: true })
      .jpeg({ quality, mozjpeg: true })
      .toBuffer({ resolveWithObject: true })
    if (data.length <= size.bytesMaximum) return { width: info.width, height: info.height, bytes: data }
    const excess = data.length / size.bytesMaximum
    const isFar = excess > EXCESS_OF_STEPS
    if (quality > QUALITY_MINIMUM) return encode(size, isFar ? QUALITY_MINIMUM : quality - QUALITY_STEP)
    const side = (Math.max(info.width, info.height) * SHRINKING) / Math.sqrt(excess)
    return encode({ ...size, side: Math.floor(side) }, quality)
  }
  const large = await encode(LARGE)
  const hash = createHash('sha256').update(large.bytes).digest('hex').slice(0, 16)
  const small = await encode(SMALL)
  return { hash, sizes: small.width < large.width ? [small, large] : [large] }
}

/** As all chats show it: WhatsApp shows none above 300 kB. */
const CUT = { width: 1200, height: 630, quality: 75 }

/**
 * The part of a stored picture that chats show beside the link, as JPEG.
 * @param focus the point that is not cut off, in percent from the left and from the top; the middle by default.
 */
export async function cutForChats(stored: Uint8Array, focus: string | null): Promise<Buffer> {
  const sharp = await loadSharp()
  const picture = sharp(stored)
  const { width, height } = await picture.metadata()
  const scale = Math.min(width / CUT.width, height / CUT.height)
  const part = { width: Math.floor(CUT.width * scale), height: Math.floor(CUT.height * scale) }
  const [x = 50, y = 50] = focus?.split(',').map(Number) ?? []
  const left = Math.round(((width - part.width) * x) / 100)
  const top = Math.round(((height - part.height) * y) / 100)
  return picture
    .extract({ left, top, ...part })
    .resize({ width: CUT.width, height: CUT.height, fit: 'fill' })
    .jpeg({ quality: CUT.quality, mozjpeg: true })
    .toBuffer()
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

/** The messages of sharp mean nothing to people; any of its errors is about the picture. */
function pictureError({ message }: Error, pixelsMaximum: number): UserError {
  const tooMany = `The picture has more than ${pixelsMaximum / 1e6} million pixels. Make it smaller, then send it again.`
  if (/pixel limit/.test(message)) return new UserError('invalid', tooMany)
  return new UserError('invalid', /timeout/.test(message) ? tooSlow : broken)
}
