// Draws the preview picture: reads a Drawing as JSON from standard input, and writes a JPEG. A separate file in the
// build, so that it starts quickly.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Resvg } from '@resvg/resvg-js'
import sharp from 'sharp'
import { draw } from './draw.ts'
import type { Drawing } from './picture.ts'
import { SANS } from './text.ts'

/** In bytes. WhatsApp does not show pictures above 300 kB. */
const MAXIMUM = 290_000
/** The first that is small enough. Not PNG: Signal does not show every one, and a photograph is too large. */
const QUALITIES = [90, 82, 74, 60, 40]

const STANDARD_INPUT = 0
const { content, picture, fonts }: Drawing = JSON.parse(readFileSync(STANDARD_INPUT, 'utf8'))
const own = ['preview-serif.ttf', 'preview-sans.ttf'].map((name) => join(fonts, name))
const { svg, fontFiles } = draw(content, picture, own)
const font = { loadSystemFonts: false, fontFiles, defaultFontFamily: SANS }
const { width, height, pixels } = new Resvg(svg, { font }).render()
const drawn = sharp(pixels, { raw: { width, height, channels: 4 } }).removeAlpha()
for (const quality of QUALITIES) {
  const bytes = await drawn.clone().jpeg({ quality, chromaSubsampling: '4:4:4', mozjpeg: true }).toBuffer()
  if (bytes.length > MAXIMUM) continue
  process.stdout.write(bytes)
  break
}
