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

it('latestInitials returns the initials of five people who attend, newest first and without repetition', () => {
  const rsvp = (name: string, attending = true) => ({ name, attending })
  const declined = rsvp('Bo Roe', false)
  const rsvps = [
    rsvp('Ana C.'),
    declined,
    rsvp('Bo Roe'),
    rsvp('Ana C.', false),
    rsvp('7'),
    ...['D', 'E', 'F', 'G', 'H'].map((n) => rsvp(n)),
  ]
  expect(latestInitials(rsvps)).toEqual(['AC', 'D', 'E', 'F', 'G'])
})

it('allResponses leads to all weeks where lists are by week, and else to the administration', () => {
  expect(allResponses(undefined)).toBe('/admin')
  expect(allResponses({ date: '2026-11-21', label: 'Saturday, November 21' })).toBe('/admin?week=all')
})
