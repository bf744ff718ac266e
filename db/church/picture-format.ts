import { UserError } from '#db/errors.ts'

const others = 'This is not a picture that the site can read. Save it as JPEG, PNG, WebP or AVIF, then send that.'
const heic =
  'This is a HEIC picture, as iPhones store them, which the site cannot read. Export it as JPEG, then send that.'

/** What the files begin with, as Latin letters; a dot is any byte. */
const JPEG = /^\xff\xd8\xff/
const OTHERS = [/^\x89PNG\r\n/, /^RIFF....WEBP/s, /^....ftyp(mif1....(....)*)?avi[fs]/s]
const HEIC = /^....ftyp(hei|hev|mif1|msf1)/s
const BEGINNING = 32

/**
 * Phones take pictures of 50 million pixels. A JPEG is made smaller while it is read; others are held whole, where 12
 * million take 200 MB. A small file can promise any number.
 */
const PIXELS_OF_JPEG = 50_000_000
const PIXELS_OF_OTHERS = 12_000_000

/**
 * How many pixels a picture may have. It looks at the first bytes, which tell more than a name. An SVG is none: it is a
 * document, with scripts.
 * @throws UserError 'unsupported-media-type' for all but JPEG, PNG, WebP and AVIF.
 */
export function pixelsMaximumOf(bytes: Uint8Array): number {
  const beginning = Buffer.from(bytes.subarray(0, BEGINNING)).toString('latin1')
  if (JPEG.test(beginning)) return PIXELS_OF_JPEG
  if (OTHERS.some((format) => format.test(beginning))) return PIXELS_OF_OTHERS
  throw new UserError('unsupported-media-type', HEIC.test(beginning) ? heic : others)
}
