import { describe, expect, it } from 'vitest'
import { familyNameOf, publicNameOf, sortByName } from './names.ts'

describe('publicNameOf', () => {
  it.each([
    ['Ana Cole', 'Ana C.'],
    ['Ana María Cole', 'Ana C.'],
    ['Mary-Ann O’Neil', 'Mary-Ann O.'],
    ['ana cole', 'ana C.'],
    ['ANA COLE', 'ANA C.'],
    ['J. C', 'J. C.'],
    ['Ana E\u0301toile', 'Ana É.'],
    ['\u200bAna\u3000Cole\ufeff', 'Ana C.'],
    ['Анна Петрова', 'Анна П.'],
    ['Μαρία Παπαδοπούλου', 'Μαρία Π.'],
    ['Ana', 'A.'],
    ['cole', 'C.'],
    ['Cole, Ana', 'C.'],
    ['ana@cole.example Cole', 'A.'],
    ['Ana Cole (4)', 'A.'],
    ['김민수', '김.'],
    ['김 민수', '김.'],
    ['محمد علي', 'م.'],
    ['मोहन', 'मो.'],
    ['王 Ana', '王.'],
    ['👨‍👩‍👧‍👦 Cole', '👨.'],
    ['555-0100', '5.'],
  ])('shows of %j no more than %j', (name, shown) => {
    expect(publicNameOf(name)).toBe(shown)
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
    ['The Kim Family', 'Kim'],
    ['Mary-Ann O’Neil', 'O’Neil'],
    ['김민준', '김민준'],
    ['Family', 'Family'],
    ['555-0101', '555-0101'],
  ])('finds in %j the name %j', (name, familyName) => {
    expect(familyNameOf(name)).toBe(familyName)
  })
})

describe('sortByName', () => {
  it('sorts by family name, however accents and capitals are typed, then by the whole name', () => {
    const sorted = ['Table 2', 'Table 10', 'Ana Álvarez', 'Zoë álvarez', 'ANA COLE', 'Bo Cole', 'Cole, Zoe', 'Eva Kim']
    const named = sorted.map((name, id) => ({ id, name }))
    expect(sortByName(named.toReversed())).toEqual(named)
  })
})
