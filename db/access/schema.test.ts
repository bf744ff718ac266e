import { describe, expect, it } from 'vitest'
import { newPassword, PASSWORD_MAXIMUM, sessionIds, signInRequest } from './schema.ts'

const sentences = (schema: typeof newPassword | typeof signInRequest, input: unknown) =>
  schema.safeParse(input).error?.issues.map(({ message }) => message) ?? []

describe('a new password', () => {
  it.each(['x'.repeat(12), 'x'.repeat(PASSWORD_MAXIMUM), ` ${'x'.repeat(PASSWORD_MAXIMUM)} `])(
    'can be %j',
    (password) => {
      expect(newPassword.parse(password)).toBe(password.trim())
    },
  )

  it.each([
    ['x'.repeat(11), 'A password needs at least 12 characters. Three or four words will do.'],
    [` ${'x'.repeat(11)} `, 'A password needs at least 12 characters. Three or four words will do.'],
    ['x'.repeat(129), 'The password may have at most 128 characters.'],
    ['three words\0in a row', 'The password holds a character that cannot be stored. Type it again.'],
    [undefined, 'The password must be text.'],
    [123_456_789_012, 'The password must be text.'],
  ])('cannot be %j', (password, sentence) => {
    expect(sentences(newPassword, password)).toEqual([sentence])
  })
})

describe('a request to sign in', () => {
  it.each(['x', ' ', 'x'.repeat(128)])('may bring %j, whatever a password needs', (password) => {
    expect(signInRequest.parse({ password, more: 1 })).toEqual({ password })
  })

  it.each([
    [{}, 'Type the password.'],
    [{ password: '' }, 'Type the password.'],
    [{ password: 1 }, 'Type the password.'],
    [{ password: null }, 'Type the password.'],
    [{ password: ['x'] }, 'Type the password.'],
    [{ password: 'x'.repeat(129) }, 'A password has at most 128 characters.'],
    [null, 'Send the password as a JSON object.'],
    ['x', 'Send the password as a JSON object.'],
  ])('may not be %j', (request, sentence) => {
    expect(sentences(signInRequest, request)).toEqual([sentence])
  })
})

describe('the numbers of sessions', () => {
  it.each([['all'], [[]], [[1, 2]]])('can be %j', (ids) => {
    expect(sessionIds.parse(ids)).toEqual(ids)
  })

  it.each([['All'], ['1'], [1], [[0]], [[-1]], [[1.5]], [['1']], [undefined]])('cannot be %j', (ids) => {
    expect(sessionIds.safeParse(ids).success).toBe(false)
  })
})
