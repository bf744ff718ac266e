import { describe, expect, it } from 'vitest'
import { compareNames, familyNameOf, publicNameOf, sortByName } from './names.ts'
import { publicNames } from './names-fixtures.ts'

describe('publicNameOf', () => {
  it.each(publicNames)('shows of names in $language no more than is safe', ({ names }) => {
    expect(names.map(([typed = '']) => [typed, publicNameOf(typed)])).toEqual(names)
  })

  // What JavaScript takes for blank, and invisible characters: between pasted words they separate as well.
  it('is cut at all that separates words', () => {
    const blanks =
      '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000'
    const unseen = '\u00ad\u034f\u115f\u180e\u200b\u200c\u200d\u200e\u2060\u3164\ufe0f\ufeff\uffa0'
    const uncut = Array.from(blanks + unseen).filter((sign) => publicNameOf(`${sign}Ana${sign}Cole`) !== 'Ana C.')
    expect(uncut).toEqual([])
  })

  it('shows no more than a letter with two marks, however many stand on it', () => {
    expect(publicNameOf('Ana E\u0301toile')).toBe('Ana É.')
    const many = '\u0301'.repeat(90)
    for (const name of [`Ana C${many}ole`, `A${many}na Cole`, `श${'\u0947'.repeat(90)}क`])
      expect(publicNameOf(name).length).toBeLessThan(12)
  })

  it('never ends with more than one letter, however many words there are', () => {
    for (const blank of [' ', '\u3000', '_', '.'])
      expect(publicNameOf(Array(30).fill('Canary').join(blank))).toBe('C. C.')
  })

  it('takes no longer for a name that is made to take long', () => {
    for (const part of ['Aa-', "A'", 'A\u0301', 'a b', '((', 'Де', '김'])
      expect(publicNameOf(part.repeat(200)).length).toBeLessThan(12)
  })
})

describe('familyNameOf', () => {
  it.each([
    ['Ana María Cole', 'Cole'],
    ['Cole, Ana', 'Cole'],
    ['García López, María', 'García López'],
    ['Ana Cole, Jr.', 'Cole'],
    [', Ana', ', Ana'],
    ['Ana Cole Jr.', 'Cole'],
    ['Ana Cole (with baby)', 'Cole'],
    ['Jan van der Berg', 'van der Berg'],
    ['Van Morrison', 'Morrison'],
    ['The Kim Family', 'Kim'],
    ['Ana and Bo Cole', 'Cole'],
    ['Mary-Ann O’Neil', 'O’Neil'],
    ['Nguyễn Văn An', 'Nguyễn'],
    ['김민준', '김민준'],
    ['Family', 'Family'],
    ['555-0101', '555-0101'],
  ])('finds in %j the name %j', (name, familyName) => {
    expect(familyNameOf(name)).toBe(familyName)
  })
})

describe('compareNames', () => {
  it('sorts by family name, however accents and capitals are typed, then by the whole name', () => {
    const sorted = [
      'Table 2',
      'Table 10',
      'Ana Álvarez',
      'Zoë álvarez',
      'ANA COLE',
      'Bo Cole',
      'Cole, Zoe',
      'Eva Kim',
      'Jan van der Berg',
    ]
    expect(sorted.toReversed().sort(compareNames)).toEqual(sorted)
  })

  it('sorts a long list the same, rows with one name in their order', () => {
    const named = Array.from({ length: 5000 }, (_, id) => ({
      id,
      name: `Ana ${(id * 7919) % 4999} ${id % 2 ? 'Öst' : 'o'}`,
    }))
    const list = [...named, ...named.map(({ id, name }) => ({ id: id + 5000, name }))]
    expect(sortByName(list)).toEqual(list.toSorted((one, other) => compareNames(one.name, other.name)))
  })
})
