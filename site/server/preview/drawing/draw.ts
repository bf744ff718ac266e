import type { PreviewContent } from '../content.ts'
import { escaped, fitLines, type Lines, type Room, SANS, SERIF, typeset } from './text.ts'

/** Pixels. What networks ask for. */
const [WIDTH, HEIGHT] = [1200, 630]
const [LEFT, RIGHT, TOP, BOTTOM] = [72, 692, 64, 566]
const COLUMN = RIGHT - LEFT
const [INK, SOFT] = ['#2b211d', '#66584e']
const TILE = { width: 164, height: 176 }
/** Where the picture stands: an arched window. */
const ARCH = 'M748 630V300a204 204 0 0 1 408 0v330z'
const FRAME = 'M728 630V300a224 224 0 0 1 448 0v330z'
const RIGHT_TO_LEFT = /^[^\p{L}]*[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}]/u

/** How a text stands: `leading` in units of its size, `after` the space below it. */
type Style = Room & { color: string; leading: number; after: number }
type Block = Lines & Style

const title: Style = {
  family: SERIF,
  sizes: [104, 94, 84, 74, 66, 58, 52],
  width: COLUMN,
  rows: 3,
  color: INK,
  leading: 1.04,
  after: 18,
}
const subtitle: Style = { ...title, family: SANS, sizes: [33, 30], rows: 2, color: SOFT, leading: 1.3, after: 0 }

/**
 * Draws the picture that a chat shows beside the link, as SVG, and says which fonts it needs.
 * @param picture the church's own, a JPEG in base64.
 * @param own the font files of ours.
 */
export function draw(content: PreviewContent, picture: string | undefined, own: string[]) {
  const { accent } = content
  const fontFiles = new Set(own)
  function block(text: string | null, style: Style): Block[] {
    const set = text === null ? undefined : typeset(text, own)
    for (const file of set?.fontFiles ?? []) fontFiles.add(file)
    return set === undefined ? [] : [{ ...style, ...fitLines(set, style) }]
  }
  const facts = drawFacts(content, block)
  const room = (facts.top - TOP - 40) * 0.98
  const head = fitHead(content, room, block)
  const height = heightOf(head)
  let y = TOP + Math.max(0, (room - height) / 2)
  const drawn = head.map((each) => {
    const text = drawBlock(each, LEFT, y)
    y += heightOf([each])
    return text
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">
<defs><radialGradient id="paper" cx="0.75" cy="0.1" r="1"><stop offset="0" stop-color="#fffaf0"/><stop offset="1" stop-color="#f6ecdb"/></radialGradient></defs>
<path fill="url(#paper)" d="M0 0h${WIDTH}v${HEIGHT}H0z"/>
${drawCover(accent, picture)}
${drawn.join('\n')}
${facts.svg}
</svg>`
  return { svg, fontFiles: Array.from(fontFiles) }
}

type MakeBlock = (text: string | null, style: Style) => Block[]

/** As much as there is room for: the subtitle goes first, then the third line of the title. */
function fitHead(content: PreviewContent, room: number, block: MakeBlock): Block[] {
  const named = { ...subtitle, sizes: [32, 28], color: content.accent, leading: 1.25, after: 18 }
  const church = block(content.church, named)
  const below = block(content.subtitle, subtitle)
  const titles = [3, 2].map((rows) => block(content.title, { ...title, rows }))
  const choices =
    titles[0]?.length === 0
      ? // Where the title cannot be drawn, the church stands in its place.
        [[...block(content.church, title), ...below], block(content.church, title)]
      : titles.flatMap((each) => [
          [...church, ...each, ...below],
          [...church, ...each],
        ])
  return choices.find((choice) => heightOf(choice) <= room) ?? choices.at(-1) ?? []
}

function heightOf(blocks: Block[]): number {
  return blocks.reduce((sum, { lines, size, leading, after }) => sum + lines.length * size * leading + after, 0)
}

function drawBlock({ lines, size, leading, width, family, color }: Block, left: number, top: number): string {
  const isRightToLeft = RIGHT_TO_LEFT.test(lines.join(' ')) && left === LEFT
  const place = isRightToLeft ? `text-anchor="end" x="${left + width}"` : `x="${left}"`
  return lines
    .map((line, index) => {
      const y = top + size * (leading * index + 0.8 + (leading - 1) / 2)
      return `<text ${place} y="${y.toFixed(1)}" font-family="${family}" font-size="${size}" fill="${color}" xml:space="preserve">${escaped(line)}</text>`
    })
    .join('\n')
}

/** When and where: beside the day as a leaf of a calendar, or each beside its sign. */
function drawFacts({ day, when, place, accent }: PreviewContent, block: MakeBlock): { svg: string; top: number } {
  const left = day === null ? LEFT + 52 : LEFT + TILE.width + 32
  const line = { ...subtitle, width: RIGHT - left, after: 0 }
  const said = day === null ? when : `${day.split(',')[0]}, ${when}`
  const whenBlock = block(said, { ...line, sizes: [46, 42, 38, 34], rows: 1, color: INK, leading: 1.3 })
  const placeBlock = block(place, { ...line, sizes: [36, 33, 30], leading: 1.25 })
  const height = heightOf([...whenBlock, ...placeBlock])
  const top = BOTTOM - (day === null ? height : TILE.height)
  let y = day === null ? top : top + (TILE.height - height) / 2
  const parts = day === null ? [] : [drawTile(day, LEFT, top, accent)]
  for (const [blocks, sign] of [[whenBlock, clock] as const, [placeBlock, pin] as const]) {
    for (const each of blocks) {
      parts.push(drawBlock(each, left, y))
      if (day === null) parts.push(sign(LEFT, y + each.size * 0.65, accent))
      y += heightOf([each])
    }
  }
  return { svg: parts.join('\n'), top }
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

/** The church's own picture, or a sunrise over a small church in its accent, seen through an arched window. */
function drawCover(accent: string, picture: string | undefined): string {
  const view =
    picture === undefined
      ? drawSunrise(accent)
      : `<image href="data:image/jpeg;base64,${picture}" x="744" y="92" width="416" height="538" preserveAspectRatio="xMidYMid slice"/>`
  return `<clipPath id="arch"><path d="${ARCH}"/></clipPath>
<path d="${FRAME}" fill="none" stroke="#c98f3c" stroke-width="3"/>
<g clip-path="url(#arch)">${view}</g>
<path d="${ARCH}" fill="none" stroke="${accent}" stroke-width="8"/>`
}

function drawSunrise(accent: string): string {
  const night = mix(accent, '#1d0f22', 0.35)
  const dawn = mix(accent, '#f09a78', 0.45)
  const [far, middle, near] = [mix(dawn, night, 0.42), mix(dawn, night, 0.74), mix(night, '#000000', 0.25)]
  return `<defs>
<linearGradient id="sky" x1="0" y1="96" x2="0" y2="520" gradientUnits="userSpaceOnUse"><stop offset="0" stop-color="${night}"/><stop offset="0.5" stop-color="${dawn}"/><stop offset="0.9" stop-color="#fbd890"/></linearGradient>
<radialGradient id="glow"><stop offset="0" stop-color="#fff1c4"/><stop offset="0.35" stop-color="#fde0a0" stop-opacity="0.75"/><stop offset="1" stop-color="#fde0a0" stop-opacity="0"/></radialGradient>
</defs>
<path fill="url(#sky)" d="M740 90h424v540H740z"/>
<g fill="#fff6e0"><circle cx="838" cy="196" r="2.6"/><circle cx="900" cy="148" r="2"/><circle cx="1010" cy="168" r="2.8"/><circle cx="1078" cy="222" r="2.2"/><circle cx="958" cy="222" r="1.8"/><circle cx="806" cy="268" r="1.8"/></g>
<circle cx="890" cy="446" r="230" fill="url(#glow)"/>
<circle cx="890" cy="446" r="66" fill="#fff3cf"/>
<path fill="${far}" d="M740 448q70-34 130-14t120 10 90-24 90-4v240H740z"/>
<path fill="${middle}" d="M740 498q80-34 170-8t140 2 120-30v180H740z"/>
<g fill="${near}"><path d="M1004 512v-84h38v84zM995 430l28-66 28 66zM1042 512v-52l42-28 42 28v52zM1021 342h4v26h-4zM1014 349h18v4h-18z"/><path d="M740 560q120-58 240-48t200-14v140H740z"/></g>
<path fill="#fbd07a" d="M1017 482v-19a6 6 0 0 1 12 0v19zM1055 490v-14a5 5 0 0 1 10 0v14zM1079 490v-14a5 5 0 0 1 10 0v14zM1103 490v-14a5 5 0 0 1 10 0v14z"/>
<path fill="none" stroke="${night}" stroke-width="3.5" stroke-linecap="round" d="M826 338q12-12 20 0 8-12 20 0M880 306q9-9 15 0 6-9 15 0"/>`
}

/** A color between two, e.g. of `#6a3460` and `#ffffff`. `share` is how much of the second one. */
function mix(one: string, other: string, share: number): string {
  const [first, second] = [partsOf(one), partsOf(other)]
  const mixed = first.map((part, index) => Math.round(part + ((second[index] ?? 0) - part) * share))
  return `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

function partsOf(color: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16))
}
