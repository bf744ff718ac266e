import type { PreviewContent } from '../content.ts'
import { drawCover } from './cover.ts'
import type { Font } from './font.ts'
import { fitLines, type Lines, type Typeset, typeset } from './typeset.ts'

const SERIF = 'Preview Serif'
export const SANS = 'Preview Sans'

/** Pixels. What networks ask for. */
const WIDTH = 1200
const HEIGHT = 630

const [LEFT, RIGHT, BOTTOM] = [72, 692, 566]
const [INK, SOFT] = ['#2b211d', '#66584e']
const TILE = { width: 164, height: 176 }

type Drawing = { svg: string; fontFiles: string[] }
type Block = { set: Typeset; lines: Lines; family: string; color: string; leading: number; after: number }

/** Draws the picture that a chat shows beside the link, as SVG, and says which fonts it needs. */
export function draw(content: PreviewContent, picture: string | undefined, serif: Font, sans: Font): Drawing {
  const { accent } = content
  const used = new Set([serif.path, sans.path])
  const set = (text: string | null, own: Font[]) => {
    const found = text === null ? undefined : typeset(text, own)
    for (const { path } of found?.fonts ?? []) used.add(path)
    return found
  }
  const facts = drawFacts(content, (text) => set(text, [sans, serif]))
  const room = (facts.top - 40 - 64) * 0.98
  const column = RIGHT - LEFT
  const block = (
    set: Typeset | undefined,
    family: string,
    color: string,
    sizes: number[],
    rows: number,
    leading: number,
    after: number,
  ): Block[] =>
    set === undefined
      ? []
      : [{ set, lines: fitLines(set, { sizes, width: column, rows }), family, color, leading, after }]
  const said = set(content.title, [serif, sans])
  // Where the title cannot be drawn, the church stands in its place.
  const title = said ?? set(content.church, [serif, sans])
  const church =
    said === undefined ? [] : block(set(content.church, [sans, serif]), SANS, accent, [32, 28], 2, 1.25, 18)
  const subtitle = block(set(content.subtitle, [sans, serif]), SANS, SOFT, [33, 30], 2, 1.3, 0)
  const head = fitHead(
    title === undefined
      ? []
      : [3, 2].map((rows) => block(title, SERIF, INK, [104, 94, 84, 74, 66, 58, 52], rows, 1.04, 18)),
    church,
    subtitle,
    room,
  )
  const height = heightOf(head)
  let y = 64 + Math.max(0, (room - height) / 2)
  const drawn = head.map((each) => {
    const text = drawBlock(each, y)
    y += blockHeight(each)
    return text
  })
  return {
    svg: `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">
<defs><radialGradient id="paper" cx="0.75" cy="0.1" r="1"><stop offset="0" stop-color="#fffaf0"/><stop offset="1" stop-color="#f6ecdb"/></radialGradient></defs>
<path fill="url(#paper)" d="M0 0h${WIDTH}v${HEIGHT}H0z"/>
${drawCover(accent, picture)}
${drawn.join('\n')}
${facts.svg}
</svg>`,
    fontFiles: Array.from(used),
  }
}

/** As much as there is room for: the subtitle goes first, then the third line of the title. */
function fitHead(titles: Block[][], church: Block[], subtitle: Block[], room: number): Block[] {
  const choices =
    titles.length === 0
      ? [[...church, ...subtitle]]
      : titles.flatMap((title) => [
          [...church, ...title, ...subtitle],
          [...church, ...title],
        ])
  return choices.find((choice) => heightOf(choice) <= room) ?? choices.at(-1) ?? []
}

function heightOf(blocks: Block[]): number {
  return blocks.reduce((sum, block) => sum + blockHeight(block), 0)
}

function blockHeight({ lines, leading, after }: Block): number {
  return lines.lines.length * lines.size * leading + after
}

function drawBlock({ set, lines, family, color, leading }: Block, top: number): string {
  const isRightToLeft = /^[^\p{L}]*[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}]/u.test(set.text)
  return lines.lines
    .map((line, index) => {
      const y = top + lines.size * (leading * index + 0.8 + (leading - 1) / 2)
      return textAt(line, isRightToLeft ? RIGHT : LEFT, y, lines.size, family, color, isRightToLeft ? 'end' : 'start')
    })
    .join('\n')
}

function drawFacts({ day, when, place, accent }: PreviewContent, set: (text: string) => Typeset | undefined) {
  const left = day === null ? LEFT + 52 : LEFT + TILE.width + 32
  const top = BOTTOM - TILE.height
  const said = set(day === null ? when : `${day.split(',')[0]}, ${when}`)
  const at = set(place)
  const whenLines = said && fitLines(said, { sizes: [46, 42, 38, 34], width: RIGHT - left, rows: 1 })
  const placeLines = at && fitLines(at, { sizes: [36, 33, 30], width: RIGHT - left, rows: 2 })
  const height =
    (whenLines ? whenLines.size * 1.3 : 0) + (placeLines ? placeLines.lines.length * placeLines.size * 1.25 : 0)
  const boxHeight = day === null ? height : TILE.height
  let y = day === null ? BOTTOM - height : top + (boxHeight - height) / 2
  const start = y
  const parts: string[] = []
  if (whenLines) {
    parts.push(textAt(whenLines.lines[0] ?? '', left, y + whenLines.size * 0.98, whenLines.size, SANS, INK))
    if (day === null) parts.push(clock(LEFT, y + whenLines.size * 0.65, accent))
    y += whenLines.size * 1.3
  }
  if (placeLines) {
    if (day === null) parts.push(pin(LEFT, y + placeLines.size * 0.65, accent))
    for (const line of placeLines.lines) {
      parts.push(textAt(line, left, y + placeLines.size * 0.95, placeLines.size, SANS, SOFT))
      y += placeLines.size * 1.25
    }
  }
  if (day !== null) parts.push(drawTile(day, LEFT, top, accent))
  return { svg: parts.join('\n'), top: day === null ? start : top }
}

/** The day as a leaf of a calendar, e.g. `Saturday, November 28`. */
function drawTile(date: string, x: number, y: number, accent: string): string {
  const [weekday = '', month = '', day = ''] = date.split(/,? /)
  const { width, height } = TILE
  const middle = x + width / 2
  const text = (content: string, top: number, size: number, family: string, color: string, more = '') =>
    `<text x="${middle}" y="${y + top}" font-family="${family}" font-size="${size}" fill="${color}" text-anchor="middle"${more}>${content}</text>`
  return `<rect x="${x}" y="${y + 4}" width="${width}" height="${height}" rx="22" fill="#e5d3b8"/>
<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="22" fill="#fffdf8"/>
<path fill="${accent}" d="M${x} ${y + 48}v-26a22 22 0 0 1 22-22h${width - 44}a22 22 0 0 1 22 22v26z"/>
${text(month.slice(0, 3).toUpperCase(), 36, 30, SANS, '#fffdf8', ' letter-spacing="3"')}
${text(day, 131, 92, SERIF, INK)}
${text(weekday.slice(0, 3).toUpperCase(), 163, 24, SANS, accent, ' letter-spacing="3"')}`
}

function clock(x: number, y: number, color: string): string {
  return `<g fill="none" stroke="${color}" stroke-width="4" stroke-linecap="round"><circle cx="${x + 17}" cy="${y}" r="15"/><path d="M${x + 17} ${y - 9}v9l6 5"/></g>`
}

function pin(x: number, y: number, color: string): string {
  return `<g fill="none" stroke="${color}" stroke-width="4" stroke-linejoin="round"><path d="M${x + 17} ${y + 18}c-9-10-13-16-13-22a13 13 0 0 1 26 0c0 6-4 12-13 22z"/><circle cx="${x + 17}" cy="${y - 4}" r="4"/></g>`
}

function textAt(
  text: string,
  x: number,
  y: number,
  size: number,
  family: string,
  color: string,
  anchor = 'start',
): string {
  return `<text text-anchor="${anchor}" x="${x.toFixed(1)}" y="${y.toFixed(1)}" font-family="${family}" font-size="${size}" fill="${color}" xml:space="preserve">${escaped(text)}</text>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
