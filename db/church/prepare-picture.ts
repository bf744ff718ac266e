import { createHash } from 'node:crypto'
import { UserError } from '#db/values/errors.ts'
import { pixelsMaximumOf } from './operations.ts'

export type PreparedPicture = {
  hash: string
  /** As JPEG, the smallest first. */
  sizes: { width: number; height: number; bytes: Buffer }[]
}

/** Of the picture above the invitation. */
const SHAPE = 16 / 9
/** For wide screens and for chats: WhatsApp shows none above 300 kB. */
const LARGE = { width: 1600, bytesMaximum: 200_000 }
const FOR_PHONES = { width: 800, bytesMaximum: 80_000 }
const QUALITIES = [82, 66, 50, 34]
const SIDE_MINIMUM = 200
const TIMEOUT_S = 20

const tooSmall = `The picture is too small. Send one that is at least ${SIDE_MINIMUM} pixels wide and high.`
const broken = 'The picture cannot be read: it is damaged or incomplete. Save it again, then send that file.'
const tooSlow = 'The picture takes too long to read. Make it smaller, then send it again.'
const notHere =
  'Pictures cannot be prepared on this computer: the package sharp does not run here. Install the site again with `npm ci`.'

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
  // Decoded once, to at most 5 MB.
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
