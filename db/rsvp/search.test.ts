import { describe, expect, it } from 'vitest'
import { testStoredRsvp } from '#db/fixtures.ts'
import { matches } from './search.ts'

const response = testStoredRsvp(1234, {
  name: 'José Álvarez',
  email: 'jose@Alvarez.example',
  phone: '555-0100',
  message: 'Line one\nBeten Sie für uns',
  familyMembers: [
    { name: '김민수', age: 'child', attending: true },
    { name: 'محمد علي', age: null, attending: false },
  ],
  volunteerSignups: [{ role: { id: 2, name: 'Audio and Video' } }],
})

describe('matches', () => {
  it.each([
    ['1234', 'the id'],
    ['José', 'the name'],
    ['@alvarez.example', 'the address'],
    ['0100', 'the phone'],
    ['one', 'the message'],
    ['김민수', 'a family member'],
    ['علي', 'another family member'],
    ['video', 'a role'],
  ])('finds %s in %s', (search) => {
    expect(matches(response, search)).toBe(true)
  })

  it.each(['jose', 'JOSE', 'alvarez', 'ÁLVAREZ', 'jose\u0301', 'fur', 'FÜR', 'fu\u0308r', 'ｊｏｓｅ'])(
    'finds %s in any case, with or without accents',
    (search) => {
      expect(matches(response, search)).toBe(true)
    },
  )

  it.each(['video jose', 'jo al vid', '  jose \t 0100\n', '', '   '])(
    'finds %j: every word, in any order',
    (search) => {
      expect(matches(response, search)).toBe(true)
    },
  )

  it.each(['maria', 'jose maria', 'oneBeten', '0100Line', 'one\0', 'attending', '2025', 'null', '.*'])(
    'does not find %j',
    (search) => {
      expect(matches(response, search)).toBe(false)
    },
  )

  it('finds nothing in what was not given', () => {
    const bare = { ...response, phone: null, message: null, familyMembers: [], volunteerSignups: [] }
    expect(matches(bare, 'null')).toBe(false)
    expect(matches(bare, 'jose')).toBe(true)
  })
})
