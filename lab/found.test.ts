import { describe, expect, it } from 'vitest'
import { testStoredRsvp } from '#db/fixtures.ts'
import { makeAnswer } from './answers.ts'
import { compare } from './found.ts'

/** The answers 1 to 4, as they are stored; all but the last acknowledged. */
const sent = [1, 2, 3, 4].map(makeAnswer)
const stored = sent.map(({ volunteerRoles, ...answer }, place) =>
  testStoredRsvp(place + 1, {
    ...answer,
    volunteerSignups: volunteerRoles.map((id) => ({ role: { id, name: `Role ${id}` } })),
  }),
)
const promised = {
  sent: new Map(sent.map((answer) => [answer.name, answer])),
  acknowledged: new Map(sent.slice(0, 3).map(({ name }, place) => [name, place + 1])),
}

describe('a look at what a power cut left', () => {
  it('finds nothing where all that was acknowledged is there, with or without what was not', () => {
    expect(compare(stored, promised)).toEqual({ lost: [], wrong: [] })
    expect(compare(stored.slice(0, 3), promised)).toEqual({ lost: [], wrong: [] })
  })

  it('finds what was acknowledged and is gone, or has another number', () => {
    expect(compare(stored.slice(1), promised).lost).toEqual(['Visitor 1 was told 1, and is not there'])
    const renumbered = stored.map((response) => (response.id === 2 ? { ...response, id: 9 } : response))
    expect(compare(renumbered, promised).lost).toEqual(['Visitor 2 was told 2, and is 9'])
  })

  it('finds a half answer', () => {
    const halves = [
      { ...stored[2], familyMembers: [] },
      { ...stored[2], volunteerSignups: [] },
      { ...stored[2], phone: null },
    ]
    for (const half of halves) {
      const { lost, wrong } = compare([...stored.slice(0, 2), testStoredRsvp(3, half)], promised)
      expect(lost).toEqual([])
      expect(wrong).toEqual([expect.stringMatching(/^Visitor 3 is not as it was sent/)])
    }
  })

  it('finds an answer that is there twice, and one that nobody sent', () => {
    const twice = compare(
      [...stored, { ...stored[0], id: 5 }].map((one) => testStoredRsvp(5, one)),
      promised,
    )
    expect(twice.wrong).toEqual(['1 answers are there more than once'])
    const { wrong } = compare([...stored, testStoredRsvp(5)], promised)
    expect(wrong).toEqual([expect.stringMatching(/^Ana Cole is not as it was sent/)])
  })
})
