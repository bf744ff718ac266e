// Draws the icons for phones from site/public/favicon.svg, and what a chat shows while no preview picture can be drawn:
// `node scripts/pictures/icons.mjs`. What it writes is committed; run it again where one of these drawings has changed.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Resvg } from '@resvg/resvg-js'
import sharp from 'sharp'
import { draw } from '../../site/server/preview/drawing/draw.ts'
import { root } from '../local-node.mjs'

const files = join(root, 'site', 'public')
const icon = readFileSync(join(files, 'favicon.svg'), 'utf8')
const tile = '<rect width="32" height="32" rx="7"'
if (!icon.includes(tile)) throw new Error('The icon has no tile to draw without its corners.')
/** Phones cut off the corners themselves. */
const square = icon.replace(tile, '<rect width="32" height="32"')
/** Each in its own shape: everything that matters is within a circle of 80 %. */
const maskable = icon
  .replace(tile, '<rect x="-4" y="-4" width="40" height="40"')
  .replace('viewBox="0 0 32 32"', 'viewBox="-2 -2 36 36"')

write('icons/icon-192.png', icon, 192)
write('icons/icon-512.png', icon, 512)
write('icons/maskable-192.png', maskable, 192)
write('icons/maskable-512.png', maskable, 512)
write('apple-touch-icon.png', square, 180)
await writePreview()

function write(name, svg, size) {
  const drawn = new Resvg(svg, { fitTo: { mode: 'width', value: size } }).render()
  writeFileSync(join(files, name), drawn.asPng())
}

async function writePreview() {
  const own = ['serif', 'sans'].map((name) => join(files, 'fonts', `preview-${name}.ttf`))
  const content = { title: 'You are invited', subtitle: '', church: null, day: null, when: '', place: '' }
  const { svg, fontFiles } = draw({ ...content, accent: '#6a3460', picture: null }, undefined, own)
  const { width, height, pixels } = new Resvg(svg, { font: { loadSystemFonts: false, fontFiles } }).render()
  const drawn = sharp(pixels, { raw: { width, height, channels: 4 } }).removeAlpha()
  await drawn.jpeg({ quality: 88, chromaSubsampling: '4:4:4', mozjpeg: true }).toFile(join(files, 'preview.jpg'))
}
