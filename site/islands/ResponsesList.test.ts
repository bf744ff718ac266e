import { describe, expect, it } from 'vitest'
import { allResponses, initialsOf, latestInitials } from './ResponsesList.tsx'

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

describe('latestInitials', () => {
  it('are of five people who attend, newest first and without repetition', () => {
    const yes = (...names: string[]) => names.map((name) => ({ name, attending: true }))
    const no = (name: string) => ({ name, attending: false })
    const rsvps = [...yes('Ana C.'), no('Bo Roe'), ...yes('Bo Roe'), no('Ana C.'), ...yes('7', 'D', 'E', 'F', 'G', 'H')]
    expect(latestInitials(rsvps)).toEqual(['AC', 'D', 'E', 'F', 'G'])
  })
})

describe('allResponses', () => {
  it.each([
    [undefined, '/admin'],
    [{ date: '2026-11-21', label: 'Saturday, November 21' }, '/admin?week=all'],
  ])('with the listed service %j leads to %s', (listed, address) => expect(allResponses(listed)).toBe(address))
})
