import { describe, expect, it } from 'vitest'
import { testPassword, testPasswordHash } from '#db/fixtures.ts'
import { hashPassword, isPasswordOf } from './password.ts'

describe('a password hash', () => {
  it('holds a salt of its own and knows its password, typed composed or of parts, with blanks around it', async () => {
    const [hash, other] = await Promise.all([hashPassword('Élodie ﬁnds keys'), hashPassword('Élodie ﬁnds keys')])
    expect(hash).toMatch(/^scrypt\$[\w-]{22}\$[\w-]{43}$/)
    const [salts, keys] = [1, 2].map((part) => [hash, other].map((text) => text.split('$')[part]))
    expect([new Set(salts).size, new Set(keys).size]).toEqual([2, 2])
    expect(await isPasswordOf(hash, ' E\u0301lodie finds keys\n')).toBe(true)
    expect(await isPasswordOf(hash, 'Elodie finds keys')).toBe(false)
  })

  it('is understood however long ago it was made', async () => {
    expect(await isPasswordOf(testPasswordHash, testPassword)).toBe(true)
  })

  it.each(['Three words in a row', 'three words in a ro', 'threewordsinarow', ''])(
    'is none of %j',
    async (password) => {
      expect(await isPasswordOf(testPasswordHash, password)).toBe(false)
    },
  )

  it.each([
    '',
    'three words in a row',
    testPasswordHash.slice(0, -1),
    `${testPasswordHash}A`,
    ` ${testPasswordHash}`,
    testPasswordHash.replace('scrypt', 'bcrypt'),
    testPasswordHash.replaceAll('$', ':'),
    testPasswordHash.replace('YSBz', ''),
  ])('that is damaged, as %j, is an error and no password', async (hash) => {
    await expect(isPasswordOf(hash, testPassword)).rejects.toThrow(/^The stored password hash cannot be read\.$/)
  })
})
