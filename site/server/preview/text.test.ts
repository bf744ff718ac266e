import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '#db/config/places.ts'
import { fitLines, SERIF, typeset } from './text.ts'

const own = ['preview-serif.ttf', 'preview-sans.ttf'].map((name) => join(projectRoot, 'site', 'public', 'fonts', name))

function linesOf(text: string, room: { width: number; rows: number }) {
  const set = typeset(text, own)
  if (set === undefined) throw new Error('It cannot be drawn.')
  return fitLines(set, { family: SERIF, sizes: [100, 60], ...room })
}

describe('typeset', () => {
  it('leaves out emoji that no font has, controls, and marks that turn the text around', () => {
    expect(typeset(' Praise \u{1f64f}\u{1f3fd}\n &\t\u202ejoy ', own)?.text).toBe('Praise & joy')
  })

  it('needs only our fonts for Latin, Greek, Cyrillic and Vietnamese', () => {
    expect(typeset('őế Ω Ж', own)?.fontFiles).toEqual(own)
  })

  it.each(['\u{1f389}', ' \n ', 'Worship \u{16d43}'])('draws nothing of %j', (text) => {
    expect(typeset(text, own)).toBeUndefined()
  })
})

describe('fitLines', () => {
  it('takes the largest size in which all words fit', () => {
    expect(linesOf('Worship', { width: 600, rows: 1 })).toEqual({ lines: ['Worship'], size: 100 })
    expect(linesOf('Worship Service', { width: 600, rows: 2 }).lines).toEqual(['Worship', 'Service'])
    expect(linesOf('Worship Service', { width: 600, rows: 1 })).toEqual({ lines: ['Worship Service'], size: 60 })
  })

  it('ends with an ellipsis where something is missing, also within a word', () => {
    expect(linesOf('Worship, and a meal together', { width: 600, rows: 1 }).lines).toEqual(['Worship, and a meal…'])
    expect(linesOf('x'.repeat(100), { width: 300, rows: 2 }).lines).toEqual([expect.stringMatching(/^x{5,12}…$/)])
  })
})
