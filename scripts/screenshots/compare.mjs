// Compares pictures with those that were accepted last, pixel by pixel.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'

/** Of 255 shades about 5: browsers draw the edges of round corners a shade lighter or darker from one time to the next. */
const THRESHOLD = 0.02

/** The folders of a set of pictures. */
export function foldersIn(folder) {
  return { now: join(folder, 'now'), last: join(folder, 'last'), difference: join(folder, 'difference') }
}

/**
 * Compares the picture of this name and, where it changed, draws what differs. Pictures of other sizes are compared where
 * they overlap; the rest counts as changed.
 * @returns {{ kind: 'new' | 'same' } | { kind: 'changed', pixels: number }}
 */
export function comparePicture(folder, name) {
  const { now, last, difference } = foldersIn(folder)
  const file = `${name}.png`
  if (!existsSync(join(last, file))) return { kind: 'new' }
  const files = [join(last, file), join(now, file)].map((path) => readFileSync(path))
  // Equal files need not be decoded, which takes most of the time.
  if (files[0].equals(files[1])) return { kind: 'same' }
  const [before, after] = files.map((content) => PNG.sync.read(content))
  const width = Math.max(before.width, after.width)
  const height = Math.max(before.height, after.height)
  const drawn = new PNG({ width, height })
  const pixels = pixelmatch(
    enlarged(before, width, height),
    enlarged(after, width, height),
    drawn.data,
    width,
    height,
    { threshold: THRESHOLD, includeAA: true },
  )
  if (pixels === 0) return { kind: 'same' }
  writeFileSync(join(difference, file), PNG.sync.write(drawn, { deflateLevel: 1, filterType: 0 }))
  return { kind: 'changed', pixels }
}

/** The pixels in a picture of that size; what is added is transparent. */
function enlarged(picture, width, height) {
  if (picture.width === width && picture.height === height) return picture.data
  const larger = new PNG({ width, height })
  PNG.bitblt(picture, larger, 0, 0, picture.width, picture.height, 0, 0)
  return larger.data
}
