import { describe, expect, it } from 'vitest'
import { identityOf } from './identity.ts'
import { otherNames, sameNames } from './identity-fixtures.ts'

describe('identityOf', () => {
  it.each(sameNames)('is the same for %j and %j', (one, other) => {
    expect(identityOf(other)).toBe(identityOf(one))
  })

  it.each(otherNames)('differs for %j and %j', (one, other) => {
    expect(identityOf(other)).not.toBe(identityOf(one))
  })

  it('is its own identity, in whatever script', () => {
    for (const name of [...sameNames, ...otherNames].flat()) expect(identityOf(identityOf(name))).toBe(identityOf(name))
  })
})
