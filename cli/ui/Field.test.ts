import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { edited, fieldOf, type TextField, typed } from './Field.tsx'

/** What comes of keys one after the other, with the cursor as a bar. */
function outcome(field: TextField, ...keys: string[]): string {
  for (const key of keys) field = edited(field, { key, text: '' }) ?? field
  return `${field.text.slice(0, field.cursor)}|${field.text.slice(field.cursor)}`
}

const ana = fieldOf('Ana Cole')
const family = fieldOf('a👨‍👩‍👧‍👦é')

describe('edited', () => {
  it.each<[TextField, string[], string]>([
    [ana, ['left'], 'Ana Col|e'],
    [ana, ['home', 'left'], '|Ana Cole'],
    [ana, ['home', 'right', 'right'], 'An|a Cole'],
    [ana, ['ctrl+a', 'ctrl+f', 'ctrl+b'], '|Ana Cole'],
    [ana, ['backspace', 'backspace'], 'Ana Co|'],
    [ana, ['home', 'delete'], '|na Cole'],
    [ana, ['ctrl+w'], 'Ana |'],
    [ana, ['ctrl+w', 'ctrl+w'], '|'],
    [ana, ['left', 'left', 'ctrl+u'], '|le'],
    [ana, ['home', 'ctrl+k'], '|'],
    [ana, ['ctrl+left'], 'Ana |Cole'],
    [ana, ['home', 'alt+f'], 'Ana| Cole'],
    [family, ['left'], 'a👨‍👩‍👧‍👦|é'],
    [family, ['left', 'backspace'], 'a|é'],
    [family, ['left', 'left', 'delete'], 'a|é'],
    [fieldOf('김민수'), ['backspace', 'left'], '김|민'],
  ])('makes of %j after %j: %s', (field, keys, expected) => {
    expect(outcome(field, ...keys)).toBe(expected)
  })

  it('knows no other keys', () => {
    for (const key of ['up', 'enter', 'escape', 'ctrl+c', 'ctrl+z', 'alt+d', 'pageUp']) {
      expect(edited(ana, { key, text: '' })).toBeUndefined()
    }
  })

  it('types at the cursor', () => {
    expect(edited({ text: 'Aa', cursor: 1 }, { key: 'n', text: 'n' })).toEqual({ text: 'Ana', cursor: 2 })
    expect(typed({ text: 'ab', cursor: 1 }, '\u001b[2J1\n2\u202e')).toEqual({ text: 'a1 2 b', cursor: 5 })
  })

  it('never leaves the text, whatever is pressed', () => {
    const keys = ['left', 'right', 'home', 'end', 'backspace', 'delete', 'ctrl+w', 'ctrl+left', 'ctrl+right', 'ctrl+k']
    const press = fc.oneof(fc.constantFrom(...keys), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }))
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.array(press), (text, presses) => {
        let field = fieldOf(text)
        for (const key of presses) {
          field = edited(field, { key, text: keys.includes(key) ? '' : key }) ?? field
          if (field.cursor < 0 || field.cursor > field.text.length) expect(field).toBeUndefined()
        }
      }),
      { seed: 1, numRuns: 100 },
    )
  })
})
