import type { Key } from 'ink'
import { expect, it } from 'vitest'
import { edited, keysOf, typed } from './keys.tsx'

const none = {} as Key

it.each<[string, Partial<Key>, string[]]>([
  ['D', { shift: true }, ['D']],
  ['d', { ctrl: true }, []],
  ['d', { meta: true }, []],
  ['', { leftArrow: true }, []],
  ['', { pageUp: true }, ['pageUp']],
  ['\r', { return: true }, ['enter']],
  ['y\r', {}, ['y', 'enter']],
  ['a\u0004\u007f\n', {}, ['a', 'backspace']],
  ['👨‍👩‍👧‍👦가', {}, ['👨‍👩‍👧‍👦', '가']],
])('keysOf finds in %j with %j: %j', (input, held, expected) => {
  expect(keysOf(input, { ...none, ...held })).toEqual(expected)
})

it.each([
  ['', 'backspace', ''],
  ['a👨‍👩‍👧‍👦', 'backspace', 'a'],
  ['An', 'a', 'Ana'],
  ['Ana', 'enter', undefined],
])('edited makes of %j after %s: %j', (text, key, expected) => {
  expect(edited(text, key)).toBe(expected)
})

it('typed adds a text without control characters', () => {
  expect(typed('a', '\u001b[2J1\n2\u202e')).toBe('a1 2 ')
})
