import { describe, expect, it } from 'vitest'
import { emailAddress, newPassword, personName } from './schemas.ts'

describe('a new password', () => {
  it.each(['x'.repeat(12), 'x'.repeat(128), ` ${'x'.repeat(128)} `])('can be %j', (password) => {
    expect(newPassword.parse(password)).toBe(password.trim())
  })

  it.each([
    ['x'.repeat(11), 'A password needs at least 12 characters. Three or four words will do.'],
    ['x'.repeat(129), 'The password may have at most 128 characters.'],
    ['three words\0in a row', 'The password holds a character that cannot be stored. Type it again.'],
    [123_456_789_012, 'The password must be text.'],
  ])('cannot be %j', (password, sentence) => {
    expect(newPassword.safeParse(password).error?.issues.map(({ message }) => message)).toEqual([sentence])
  })
})

const messageOf = (parsed: ReturnType<typeof emailAddress.safeParse>) =>
  parsed.error?.issues.map(({ message }) => message).join(' ')

describe('an email address', () => {
  it.each([
    'tom&anna/b~c#{d}@lind.example',
    'a..b@b.co',
    'A@B.CO',
    'ana@xn--e1afmkfd.xn--p1ai',
    `${'a'.repeat(64)}@b.co`,
    `a@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(60)}`,
  ])('can be %s, which browsers accept too', (address) => {
    expect(emailAddress.parse(address)).toBe(address)
  })

  it.each([
    ['info@räucher.example', 'info@xn--rucher-bua.example'],
    ['ana@пример.рф', 'ana@xn--e1afmkfd.xn--p1ai'],
    ['ana＠b。co', 'ana@b.co'],
    ['o’neil@b.co', "o'neil@b.co"],
  ])('written as %s is stored as %s', (written, stored) => {
    expect(emailAddress.parse(written)).toBe(stored)
  })

  it.each([
    ' ana@b.co\u00a0',
    'MAILTO:ana@b.co',
    '"Cole, Ana (home)" <ana@b.co>;',
    'Ana Cole <mailto:ana@b.co>',
    '< ana@b.co >',
    'ana@b.co. ',
    'ana@b.co,',
    '(ana@b.co)',
    '"Ana Cole <ana@b.co>"',
    'ana@\u200bb.\u200bco',
    '\ufeffana@b.co\u2060',
    'ana@b\u00ad.co',
  ])('loses what is pasted around it: %j', (pasted) => {
    expect(emailAddress.parse(pasted)).toBe('ana@b.co')
  })

  it.each(['ana@b.co, tom@b.co', 'ana@b.co and tom@b.co', 'ana@b.co, Tom <tom@b.co>', 'ana@b.co\nbcc: tom@b.co'])(
    'is one, not %s',
    (addresses) => {
      expect(messageOf(emailAddress.safeParse(addresses))).toBe('Give one address.')
    },
  )

  it.each([
    undefined,
    '',
    '@b.co',
    'ana@b',
    'ana@@b.co',
    'ana@-b.co',
    'ana@b-.co',
    'ana@b_c.co',
    'ana cole@b.co',
    'ana,cole@b.co',
    'ana:cole@b.co',
    'ana<cole@b.co',
    'ana. cole@b.co',
    'Ana Cole ana@b.co',
    'ana@b.co ample',
    'ana@b.co,example',
    'ana@b.co-',
    'ana@b.cotom@b.co',
    '"ana@home"@b.co',
    'Müller@b.co',
    'ana@b.co/path',
    'ana@räucher.example/path',
    `${'a'.repeat(65)}@b.co`,
    `a@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(61)}`,
    `${'<'.repeat(30_000)}ana@b.co`,
  ])('cannot be %j', (address) => {
    expect(messageOf(emailAddress.safeParse(address))).toBe('Invalid email address')
  })
})

describe('the name of a person', () => {
  // Includes a vowel sign of Thai, an emoji of several people, and a letter with a digit.
  it.each(['Jo', 'Öd', 'O\u0308d', '별이', 'ปู', '👨‍👩‍👧', 'J5'])('can be %s', (name) => {
    expect(personName.parse(name)).toBe(name)
  })

  it.each(['O', 'Ö', 'O\u0308', '별', '𠮷', 'O\u200b', '😀', 'م\u064e'])('cannot be %j alone', (name) => {
    expect(messageOf(personName.safeParse(name))).toBe('Write the name with at least two letters.')
  })

  it.each([undefined, null, 5, '', ' \t', '\u200b\u2060', '\u3164'])('is required, and not %j', (name) => {
    expect(messageOf(personName.safeParse(name))).toBe('Name is required')
  })
})
