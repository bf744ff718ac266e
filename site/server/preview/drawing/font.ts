import { closeSync, openSync, readSync } from 'node:fs'

/** A font file, as far as lines of text are measured with it. */
export type Font = {
  path: string
  has(character: string): boolean
  /** In units of the font size, without kerning. */
  widthOf(character: string): number
}

type Glyphs = (codePoint: number) => number

/**
 * Reads which characters a TrueType or OpenType font has, and how wide they are. Of a collection it reads the first font.
 * undefined where it is none of them.
 */
export function readFont(path: string): Font | undefined {
  const file = openSync(path, 'r')
  try {
    const read = (start: number, length: number) => {
      const bytes = Buffer.alloc(length)
      readSync(file, bytes, 0, length, start)
      return bytes
    }
    return fontFrom(path, read)
  } catch (error) {
    // A damaged font, or a table of another kind.
    if (error instanceof RangeError) return undefined
    throw error
  } finally {
    closeSync(file)
  }
}

function fontFrom(path: string, read: (start: number, length: number) => Buffer): Font | undefined {
  const head = read(0, 16)
  const start = head.toString('latin1', 0, 4) === 'ttcf' ? head.readUInt32BE(12) : 0
  const tables = tablesFrom(read, start)
  const table = (name: string) => {
    const found = tables.get(name)
    return found && read(found.start, found.length)
  }
  const [header, metrics, widths, map] = [table('head'), table('hhea'), table('hmtx'), table('cmap')]
  if (!header || !metrics || !widths || !map) return undefined
  const glyphOf = glyphsFrom(map)
  const unit = header.readUInt16BE(18)
  const last = metrics.readUInt16BE(34) - 1
  return {
    path,
    has: (character) => glyphOf(character.codePointAt(0) ?? 0) !== 0,
    widthOf: (character) => {
      const glyph = glyphOf(character.codePointAt(0) ?? 0)
      return widths.readUInt16BE(4 * Math.min(glyph, last)) / unit
    },
  }
}

function tablesFrom(read: (start: number, length: number) => Buffer, start: number) {
  const count = read(start + 4, 2).readUInt16BE(0)
  const directory = read(start + 12, 16 * count)
  const entries = Array.from({ length: count }, (_, index) => directory.subarray(16 * index, 16 * index + 16))
  return new Map(
    entries.map((entry) => [
      entry.toString('latin1', 0, 4),
      { start: entry.readUInt32BE(8), length: entry.readUInt32BE(12) },
    ]),
  )
}

/** The glyph of each character; 0 where there is none. */
function glyphsFrom(map: Buffer): Glyphs {
  const count = map.readUInt16BE(2)
  const offsets = Array.from({ length: count }, (_, index) => map.readUInt32BE(8 + 8 * index))
  const tables = offsets.map((offset) => map.subarray(offset))
  const whole = tables.find((table) => table.readUInt16BE(0) === 12)
  if (whole !== undefined) return segmentedGlyphs(whole)
  const basic = tables.find((table) => table.readUInt16BE(0) === 4)
  return basic === undefined ? () => 0 : basicGlyphs(basic)
}

/** Format 12: groups of characters, of all planes. */
function segmentedGlyphs(table: Buffer): Glyphs {
  const count = table.readUInt32BE(12)
  return (codePoint) => {
    let [low, high] = [0, count - 1]
    while (low <= high) {
      const middle = (low + high) >> 1
      const group = 16 + 12 * middle
      if (codePoint < table.readUInt32BE(group)) high = middle - 1
      else if (codePoint > table.readUInt32BE(group + 4)) low = middle + 1
      else return table.readUInt32BE(group + 8) + codePoint - table.readUInt32BE(group)
    }
    return 0
  }
}

/** Format 4: segments of the first 65,536 characters. */
function basicGlyphs(table: Buffer): Glyphs {
  const doubled = table.readUInt16BE(6)
  const [starts, deltas, ranges] = [16 + doubled, 16 + 2 * doubled, 16 + 3 * doubled]
  return (codePoint) => {
    for (let segment = 0; segment < doubled; segment += 2) {
      if (codePoint > table.readUInt16BE(14 + segment)) continue
      const start = table.readUInt16BE(starts + segment)
      if (codePoint < start) return 0
      const delta = table.readUInt16BE(deltas + segment)
      const range = table.readUInt16BE(ranges + segment)
      if (range === 0) return (codePoint + delta) & 0xffff
      const glyph = table.readUInt16BE(ranges + segment + range + 2 * (codePoint - start))
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff
    }
    return 0
  }
}
