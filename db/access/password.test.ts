import { describe, expect, it } from 'vitest'
import { invalidAt, testPassword, testPasswordExpensiveHash, testPasswordHash } from '#testing/database-fixtures.ts'
import { assertUncommon, hashPassword, isPasswordOf } from './password.ts'

describe('a chosen password', () => {
  const common = [
    'passwordpassword',
    '123456789012',
    'qwertyuiop123',
    'churchchurch1',
    'PasswordPassword1!',
    'x'.repeat(128),
  ]
  const uncommon = ['green bottle singing', 'apfel haus garten', testPassword, 'four words in a row', 'kR7#mP2$vL9q']

  it.each(common)('cannot be %j, which guessers try first', async (password) => {
    await expect(assertUncommon(password)).rejects.toMatchObject(invalidAt('password'))
  })

  it.each(uncommon)('can be %j', async (password) => {
    await assertUncommon(password)
  })
})

describe('a password hash', () => {
  it('has its own salt, and fits its password typed in composed letters or in parts, with blanks around it', async () => {
    const [hash, other] = await Promise.all([hashPassword('Élodie ﬁnds keys'), hashPassword('Élodie ﬁnds keys')])
    expect(hash).toMatch(/^\$scrypt\$ln=8,r=8,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    const [salts, keys] = [3, 4].map((part) => [hash, other].map((text) => text.split('$')[part]))
    expect([new Set(salts).size, new Set(keys).size]).toEqual([2, 2])
    expect(await isPasswordOf(hash, ' E\u0301lodie finds keys\n')).toBe(true)
    expect(await isPasswordOf(hash, 'Elodie finds keys')).toBe(false)
  })

  it('is read whatever its cost', async () => {
    expect(await isPasswordOf(testPasswordExpensiveHash, testPassword)).toBe(true)
    for (const other of ['three words in a ro', 'Three words in a row', ''])
      expect(await isPasswordOf(testPasswordHash, other)).toBe(false)
  })

  it.each([
    '',
    `${testPasswordHash}A`,
    `A${testPasswordHash}`,
    testPasswordHash.replace('scrypt', 'bcrypt'),
    testPasswordHash.replace('YSBz', ''),
    testPasswordHash.replace('ln=8', 'ln=0'),
    // These would use up the machine's memory.
    testPasswordHash.replace('ln=8', 'ln=18'),
    testPasswordHash.replace('r=8', 'r=17'),
    testPasswordHash.replace('p=1', 'p=5'),
    testPasswordHash.replace('ln=8,', ''),
  ])('that is damaged, e.g. %j, is an error', async (hash) => {
    await expect(isPasswordOf(hash, testPassword)).rejects.toThrow(/^The stored password hash cannot be read\.$/)
  })
})
