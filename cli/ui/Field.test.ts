import { describe, expect, it } from 'vitest'
import { edited, typed } from './Field.tsx'

describe('edited', () => {
  it.each([
    ['Ana Cole', 'backspace', 'Ana Col'],
    ['', 'backspace', ''],
    ['a👨‍👩‍👧‍👦', 'backspace', 'a'],
    ['Ana Cole ', 'ctrl+w', 'Ana '],
    ['Ana', 'alt+backspace', ''],
    ['Ana Cole', 'ctrl+u', ''],
    ['Ana', 'left', undefined],
    ['Ana', 'ctrl+c', undefined],
  ])('makes of %j after %s: %j', (text, key, expected) => {
    expect(edited(text, { key, text: '' })).toBe(expected)
  })

  it('adds what is typed or pasted, without what a terminal would obey', () => {
    expect(edited('An', { key: 'a', text: 'a' })).toBe('Ana')
    expect(typed('a', '\u001b[2J1\n2\u202e')).toBe('a1 2 ')
  })
})
