import { describe, expect, it } from 'vitest'
import { sessionIds, signInRequest } from './schema.ts'

const sentences = (input: unknown) => signInRequest.safeParse(input).error?.issues.map(({ message }) => message) ?? []

describe('a request to sign in', () => {
  it.each(['x', ' ', 'x'.repeat(128)])('may bring %j, whatever a password needs', (password) => {
    expect(signInRequest.parse({ password, more: 1 })).toEqual({ password })
  })

  it.each([
    [{}, 'Type the password.'],
    [{ password: '' }, 'Type the password.'],
    [{ password: ['x'] }, 'Type the password.'],
    [{ password: 'x'.repeat(129) }, 'A password has at most 128 characters.'],
    [null, 'Send the password as a JSON object.'],
  ])('may not be %j', (request, sentence) => {
    expect(sentences(request)).toEqual([sentence])
  })
})

describe('the numbers of sessions', () => {
  it.each([['all'], [[]], [[1, 2]]])('can be %j', (ids) => {
    expect(sessionIds.parse(ids)).toEqual(ids)
  })

  it.each([['All'], [1], [[0]], [[1.5]], [['1']], [undefined]])('cannot be %j', (ids) => {
    expect(sessionIds.safeParse(ids).success).toBe(false)
  })
})
