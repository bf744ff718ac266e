import { describe, expect, it } from 'vitest'
import { entryRoles } from './entry.ts'

const [day, later, over] = ['2026-11-21', '2026-11-28', '2026-11-14']
const roles = [
  { id: 1, name: 'Greeter', needed: 2, filled: { [day]: 2, [later]: 1 } },
  { id: 2, name: 'Usher' },
]
const entry = (serviceDate: string, volunteerRoles: number[], attending = true) => ({
  serviceDate,
  volunteerRoles,
  attending,
})
const added = entry(day, [])
const changed = entry(day, [1])
const excess = '3 of 2, 1 more than needed'

describe('entryRoles', () => {
  it.each([
    ['a new response without it', added, added, 'filled', undefined],
    ['a new response with it', added, entry(day, [1]), 'filled', excess],
    ['one of whom stays away', added, entry(day, [1], false), 'filled', undefined],
    ['a new response for another service', added, entry(later, [1]), '1 still needed', undefined],
    ['a service that is over', added, entry(over, [1]), undefined, undefined],
    ['one who fills it already', changed, changed, '1 still needed', undefined],
    ['one who gives it up', changed, entry(day, []), '1 still needed', undefined],
    ['one who fills it on another day already', entry(later, [1]), changed, 'filled', excess],
    ['one who stayed away', entry(day, [1], false), changed, 'filled', excess],
  ])('says what is needed beside %s', (_, before, now, state, expected) => {
    expect(entryRoles(roles, before, now)).toEqual([
      { id: 1, name: 'Greeter', state, excess: expected },
      { id: 2, name: 'Usher', state: undefined, excess: undefined },
    ])
  })
})
