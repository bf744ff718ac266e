import { describe, expect, it } from 'vitest'
import { newPassword, PASSWORD_MAXIMUM, personName } from './schemas.ts'

describe('a new password', () => {
  it.each(['x'.repeat(12), 'x'.repeat(PASSWORD_MAXIMUM), ` ${'x'.repeat(PASSWORD_MAXIMUM)} `])(
    'can be %j',
    (password) => {
      expect(newPassword.parse(password)).toBe(password.trim())
    },
  )

  it.each([
    ['x'.repeat(11), 'A password needs at least 12 characters. Three or four words will do.'],
    ['x'.repeat(129), 'The password may have at most 128 characters.'],
    ['three words\0in a row', 'The password holds a character that cannot be stored. Type it again.'],
    [123_456_789_012, 'The password must be text.'],
  ])('cannot be %j', (password, sentence) => {
    expect(newPassword.safeParse(password).error?.issues.map(({ message }) => message)).toEqual([sentence])
  })
})

const messageOf = (parsed: ReturnType<typeof personName.safeParse>) =>
  parsed.error?.issues.map(({ message }) => message).join(' ')

describe('the name of a person', () => {
  // Also a vowel sign of Thai, an emoji of several people, a letter and a number.
  it.each(['Jo', 'Öd', 'O\u0308d', '별이', 'ปู', '👨‍👩‍👧', 'J5'])('can be %s', (name) => {
    expect(personName.parse(name)).toBe(name)
  })

  it.each([
    'O',
    ' O ',
    'Ö',
    'O\u0308',
    'x\u0302',
    '별',
    '\u1107\u1167\u11af',
    '李',
    '𠮷',
    'O\u200b',
    '😀',
    '❤\ufe0f',
    'م\u064e',
  ])('has at least two letters, unlike %j', (name) => {
    expect(messageOf(personName.safeParse(name))).toBe('Write the name with at least two letters.')
  })

  it.each([undefined, null, 5, '', ' \t', '\u200b\u2060', '\u3164'])('is required, and not %j', (name) => {
    expect(messageOf(personName.safeParse(name))).toBe('Name is required')
  })
})
