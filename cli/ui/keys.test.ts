import type { Key } from 'ink'
import { describe, expect, it } from 'vitest'
import { pressesOf } from './keys.ts'

const none = {} as Key
const keys = (input: string, held: Partial<Key> = {}) => pressesOf(input, { ...none, ...held }).map(({ key }) => key)

describe('pressesOf', () => {
  it.each<[string, Partial<Key>, string[]]>([
    ['d', {}, ['d']],
    ['D', { shift: true }, ['D']],
    ['d', { ctrl: true }, ['ctrl+d']],
    ['d', { meta: true }, ['alt+d']],
    ['D', { meta: true, shift: true }, ['alt+d']],
    ['', { leftArrow: true, ctrl: true }, ['ctrl+left']],
    ['\r', { return: true }, ['enter']],
    ['jk', {}, ['j', 'k']],
    ['y\r', {}, ['y', 'enter']],
    ['a\u0004\u007f\n', {}, ['a', 'ctrl+d', 'backspace', 'ctrl+j']],
    ['👨‍👩‍👧‍👦가', {}, ['👨‍👩‍👧‍👦', '가']],
  ])('names %j with %j %j', (input, held, expected) => {
    expect(keys(input, held)).toEqual(expected)
  })

  it('types letters, and nothing with a key that is held', () => {
    expect(pressesOf('é', none)).toEqual([{ key: 'é', text: 'é' }])
    expect(pressesOf('e', { ...none, ctrl: true })).toEqual([{ key: 'ctrl+e', text: '' }])
  })
})
