import type { PreviewContent } from './content.ts'
import drawing from './drawing.svg?raw'
import { escaped, fitLines, type Lines, type Room, SANS, SERIF, typeset } from './text.ts'

/** The column of texts beside the window, in pixels. */
const [LEFT, RIGHT, TOP, BOTTOM] = [72, 692, 64, 566]
const [INK, SOFT] = ['#2b211d', '#66584e']
const WINDOW = { x: 744, y: 92, width: 416, height: 538 }
const TILE = { width: 164, height: 176 }
const RIGHT_TO_LEFT = /^[^\p{L}]*[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}]/u

/** `leading` is in units of the font size, `after` is the space below in pixels. */
type Style = Room & { color: string; leading: number; after: number }
type Block = Lines & Style
type MakeBlock = (text: string | null, style: Style) => Block[]

const title: Style = {
  family: SERIF,
  sizes: [104, 94, 84, 74, 66, 58, 52],
  width: RIGHT - LEFT,
  rows: 3,
  color: INK,
  leading: 1.04,
  after: 18,
}
const subtitle: Style = { ...title, family: SANS, sizes: [33, 30], rows: 2, color: SOFT, leading: 1.3, after: 0 }

/**
 * Draws the picture that chats show beside the link, as SVG, with the font files it needs.
 * @param picture the church's own, a JPEG in base64.
 * @param own our font files.
 */
export function draw(content: PreviewContent, picture: string | undefined, own: string[]) {
  const fontFiles = new Set(own)
  const block: MakeBlock = (text, style) => {
    const set = text === null ? undefined : typeset(text, own)
    for (const file of set?.fontFiles ?? []) fontFiles.add(file)
    return set === undefined ? [] : [{ ...style, ...fitLines(set, style) }]
  }
  const facts = drawFacts(content, block)
  const room = (facts.top - TOP - 40) * 0.98
  const head = fitHead(content, room, block)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" color="${content.accent}">
${drawing}
${content.picture && picture ? drawView(content.picture, picture) : ''}
<use href="#arch" fill="none" stroke="currentColor" stroke-width="8"/>
${drawBlocks(head, LEFT, TOP + Math.max(0, (room - heightOf(head)) / 2))}
${facts.svg}
</svg>`
  return { svg, fontFiles: Array.from(fontFiles) }
}

/** Fills the window, as `object-fit: cover` does; the point in focus stays within it. */
function drawView({ width, height, focus }: NonNullable<PreviewContent['picture']>, picture: string): string {
  const scale = Math.max(WINDOW.width / width, WINDOW.height / height)
  const x = WINDOW.x + (WINDOW.width - width * scale) * focus.x
  const y = WINDOW.y + (WINDOW.height - height * scale) * focus.y
  return `<g clip-path="url(#window)"><image href="data:image/jpeg;base64,${picture}" x="${x}" y="${y}" width="${width * scale}" height="${height * scale}"/></g>`
}

/** As much as fits: the subtitle is dropped first, then the third line of the title. */
function fitHead(content: PreviewContent, room: number, block: MakeBlock): Block[] {
  const church = block(content.church, {
    ...subtitle,
    sizes: [32, 28],
    color: content.accent,
    leading: 1.25,
    after: 18,
  })
  const below = block(content.subtitle, subtitle)
  const heads = [3, 2].map((rows) => [...church, ...block(content.title, { ...title, rows })])
  // If the title cannot be drawn, the church's name replaces it.
  if (heads[0]?.length === church.length) heads[0] = block(content.church, title)
  const choices = heads.flatMap((head) => [[...head, ...below], head])
  return choices.find((choice) => heightOf(choice) <= room) ?? choices.at(-1) ?? []
}

/** Time and place: beside a calendar leaf with the day, or each beside its icon. */
function drawFacts({ day, when, place }: PreviewContent, block: MakeBlock): { svg: string; top: number } {
  const left = day === null ? LEFT + 52 : LEFT + TILE.width + 32
  const line = { ...subtitle, width: RIGHT - left }
  const said = day === null ? when : `${day.split(',')[0]}, ${when}`
  const whenBlock = block(said, { ...line, sizes: [46, 42, 38, 34], rows: 1, color: INK })
  const placeBlock = block(place, { ...line, sizes: [36, 33, 30], leading: 1.25 })
  const height = heightOf([...whenBlock, ...placeBlock])
  const top = BOTTOM - (day === null ? height : TILE.height)
  const first = day === null ? top : top + (TILE.height - height) / 2
  const second = first + heightOf(whenBlock)
  const signs =
    day === null
      ? [drawSign('clock', whenBlock, first), drawSign('pin', placeBlock, second)]
      : [drawTile(day, LEFT, top)]
  return { svg: [...signs, drawBlocks(whenBlock, left, first), drawBlocks(placeBlock, left, second)].join('\n'), top }
}

function heightOf(blocks: Block[]): number {
  return blocks.reduce((sum, { lines, size, leading, after }) => sum + lines.length * size * leading + after, 0)
}

function drawBlocks(blocks: Block[], left: number, top: number): string {
  const drawn = blocks.flatMap((block, place) => {
    const { lines, size, leading, width, family, color } = block
    const isRightToLeft = RIGHT_TO_LEFT.test(lines.join(' ')) && left === LEFT
    const x = isRightToLeft ? left + width : left
    const start = top + heightOf(blocks.slice(0, place)) + size * (0.8 + (leading - 1) / 2)
    const anchor = isRightToLeft ? 'end' : 'start'
    return lines.map((line, index) =>
      drawText(line, { x, y: start + index * size * leading, size, family, color, anchor }),
    )
  })
  return drawn.join('\n')
}

function drawSign(name: 'clock' | 'pin', [beside]: Block[], top: number): string {
  return beside === undefined ? '' : `<use href="#${name}" x="${LEFT}" y="${top + beside.size * 0.65}"/>`
}

/** The day as a leaf of a calendar, e.g. `Saturday, November 28`. */
function drawTile(date: string, left: number, top: number): string {
  const [weekday = '', month = '', day = ''] = date.split(/,? /)
  const at = { x: left + TILE.width / 2, family: SANS, anchor: 'middle' }
  return `<use href="#tile" x="${left}" y="${top}"/>
<g letter-spacing="3">
${drawText(month.slice(0, 3).toUpperCase(), { ...at, y: top + 36, size: 30, color: '#fffdf8' })}
${drawText(weekday.slice(0, 3).toUpperCase(), { ...at, y: top + 163, size: 24, color: 'currentColor' })}
</g>
${drawText(day, { ...at, y: top + 131, size: 92, family: SERIF, color: INK })}`
}

type Placed = { x: number; y: number; size: number; family: string; color: string; anchor: string }

function drawText(text: string, { x, y, size, family, color, anchor }: Placed): string {
  return `<text text-anchor="${anchor}" x="${x}" y="${y.toFixed(1)}" font-family="${family}" font-size="${size}" fill="${color}" xml:space="preserve">${escaped(text)}</text>`
}
