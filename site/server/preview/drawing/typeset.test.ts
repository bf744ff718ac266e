import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '#db/config/places.ts'
import { type Font, readFont } from './font.ts'
import { fitLines, typeset } from './typeset.ts'

function fontNamed(name: string): Font {
  const font = readFont(join(projectRoot, 'site', 'public', 'fonts', name))
  if (font === undefined) throw new Error(`${name} cannot be read.`)
  return font
}

const own = [fontNamed('preview-serif.ttf'), fontNamed('preview-sans.ttf')]

function linesOf(text: string, room: Parameters<typeof fitLines>[1]) {
  const set = typeset(text, own)
  if (set === undefined) throw new Error('It cannot be drawn.')
  return fitLines(set, room)
}

describe('readFont', () => {
  it('knows the characters of a font and their widths', () => {
    const [serif, sans] = own
    expect(['a', 'ő', 'ế', 'Ж', '한'].map((character) => serif?.has(character))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
    expect(sans?.has('Ж')).toBe(true)
    expect(serif?.widthOf('W')).toBeGreaterThan(2 * (serif?.widthOf('i') ?? 0))
  })

  it('reads nothing of a file that is no font', () => {
    expect(readFont(join(projectRoot, 'package.json'))).toBeUndefined()
  })
})

describe('typeset', () => {
  it('leaves out emoji that no font has, controls, and marks that turn the text around', () => {
    expect(typeset(' Praise \u{1f64f}\u{1f3fd}\n &\t\u202ejoy ', own)?.text).toBe('Praise & joy')
  })

  it.each(['\u{1f389}', ' \n ', 'Worship \u{16d43}'])('draws nothing of %j', (text) => {
    expect(typeset(text, own)).toBeUndefined()
  })
})

describe('fitLines', () => {
  const sizes = [100, 60]

  it('takes the largest size in which all words fit', () => {
    expect(linesOf('Worship', { sizes, width: 600, rows: 1 })).toEqual({ lines: ['Worship'], size: 100 })
    expect(linesOf('Worship Service', { sizes, width: 600, rows: 2 }).lines).toEqual(['Worship', 'Service'])
    expect(linesOf('Worship Service', { sizes, width: 600, rows: 1 })).toEqual({ lines: ['Worship Service'], size: 60 })
  })

  it('ends with an ellipsis where something is missing, also within a word', () => {
    expect(linesOf('Worship, and a meal together', { sizes, width: 600, rows: 1 }).lines).toEqual([
      'Worship, and a meal…',
    ])
    expect(linesOf('x'.repeat(100), { sizes, width: 300, rows: 2 }).lines).toEqual([
      expect.stringMatching(/^x{5,12}…$/),
    ])
  })
})
