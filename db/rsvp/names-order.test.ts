import { describe, expect, it } from 'vitest'
import { compareNames, familyNameOf } from '#db/rsvp/names.ts'

describe('familyNameOf', () => {
  it.each([
    ['Ana Cole', 'Cole'],
    ['Ana María Cole', 'Cole'],
    ['Cole, Ana', 'Cole'],
    ['  Ana   Cole ', 'Cole'],
    ['Ana Cole Jr.', 'Cole'],
    ['Ana Cole, Jr.', 'Cole'],
    ['Ana Cole (with baby)', 'Cole'],
    ['Jan van der Berg', 'van der Berg'],
    ['Leonardo da Vinci', 'da Vinci'],
    ['Van Morrison', 'Morrison'],
    ['The Kim Family', 'Kim'],
    ['Familie Müller', 'Müller'],
    ['Ana and Bo Cole', 'Cole'],
    ['Mary-Ann O’Neil', 'O’Neil'],
    ['Nguyễn Văn An', 'Nguyễn'],
    ['김민준', '김민준'],
    ['Ana', 'Ana'],
    ['Family', 'Family'],
    ['555-0101', '555-0101'],
    ['Anonymous', 'Anonymous'],
    ['…', '…'],
  ])('finds in %j the name %j', (name, familyName) => {
    expect(familyNameOf(name)).toBe(familyName)
  })
})

describe('compareNames', () => {
  it('sorts by family name, however accents and capitals are typed, then by the whole name', () => {
    const sorted = [
      'Zoë álvarez',
      'Bo Cole',
      'Cole, Zoe',
      'ANA COLE',
      'Ana Álvarez',
      'Jan van der Berg',
      'Eva Kim',
    ].sort(compareNames)
    expect(sorted).toEqual([
      'Ana Álvarez',
      'Zoë álvarez',
      'ANA COLE',
      'Bo Cole',
      'Cole, Zoe',
      'Eva Kim',
      'Jan van der Berg',
    ])
  })
})
