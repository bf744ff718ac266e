import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { recordedOf } from '#site/lib/recorded.ts'
import { allResponses, initialsOf, latestInitials, YourRsvp } from './ResponsesList.tsx'

const family = ['Joel', 'Mia', 'Noah', 'Lea'].map((name) => ({ name, attending: true }))

describe("the visitor's RSVP", () => {
  it.each([
    [{}, "You're coming · Change"],
    [{ familyMembers: family }, "You're coming, 5 people · Change"],
    [{ standing: true }, "You're coming every week · Change"],
    [{ standing: true, serviceDate: '2026-12-12' }, "You're coming every week · Change"],
    [{ attending: false }, "You can't come this time · Change"],
    [{ attending: false, familyMembers: family.slice(2) }, 'Coming without you: Noah, Lea · Change'],
    [{ serviceDate: '2026-12-12' }, "You're coming (Dec 12, 2026) · Change"],
    [{ serviceDate: undefined }, "You're coming · Change"],
    [{ link: undefined }, "You're coming"],
    [{ attending: false, isWithdrawn: true }, 'You have withdrawn this RSVP. · Take that back'],
    [
      { attending: false, isWithdrawn: true, standing: true, serviceDate: '2026-12-12' },
      'You no longer come every week. · Take that back',
    ],
  ])('of %j is told as %s', (sent, line) => {
    const visitor = { name: 'Ana Cole', attending: true, familyMembers: [], roles: [], serviceDate: '2026-12-05' }
    const recorded = { link: '/answer', ...recordedOf({ ...visitor, ...sent }), ...sent }
    const html = renderToStaticMarkup(<YourRsvp recorded={recorded} day="2026-12-05" />)
    // "· Change" stays in one line.
    expect(html.replace(/<[^>]*>/g, '')).toBe(line.replace("'", '&#x27;').replace(' · ', ' ·\u00a0'))
  })
})

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
  it('are of four people who attend, newest first and without repetition', () => {
    const yes = (...names: string[]) => names.map((name) => ({ name, attending: true }))
    const no = (name: string) => ({ name, attending: false })
    const rsvps = [...yes('Ana C.'), no('Bo Roe'), ...yes('Bo Roe'), no('Ana C.'), ...yes('7', 'D', 'E', 'F', 'G')]
    expect(latestInitials(rsvps)).toEqual(['AC', 'D', 'E', 'F'])
  })
})

describe('allResponses', () => {
  it.each([
    [undefined, '/admin'],
    [{ date: '2026-11-21', label: 'Saturday, November 21' }, '/admin?week=all'],
  ])('with the listed service %j leads to %s', (listed, address) => expect(allResponses(listed)).toBe(address))
})
