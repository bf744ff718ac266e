import { describe, expect, it } from 'vitest'
import { initialsOf } from './ResponsesList.tsx'

describe('initialsOf', () => {
  it.each([
    ['Ana Cole', 'AC'],
    ['ana maria cole', 'AC'],
    ['Ana Maria C.', 'AC'],
    ['Ébène Ōta', 'ÉŌ'],
    ['Madonna', 'M'],
    ['김 민수', '김'],
    ['يوسف عبد الله', 'ي'],
    ['𝓐na Cole', '𝓐C'],
    ['"><script> 7', ''],
    ['👩‍👧 Cole', 'C'],
    ['', ''],
  ])('of %s are %s', (name, initials) => {
    expect(initialsOf(name)).toBe(initials)
  })
})
