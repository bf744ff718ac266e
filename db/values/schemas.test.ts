import { describe, expect, it } from 'vitest'
import { newPassword, PASSWORD_MAXIMUM } from './schemas.ts'

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
