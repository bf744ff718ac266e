import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sampleRsvp } from '#db/rsvp/sample.ts'
import { rsvp } from '#db/rsvp/schema.ts'

/** Numbers as Math.random returns them: from 0 up to 1, the ends more often than by chance. */
const chances = fc.array(
  fc.oneof(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), fc.constantFrom(0, 1 - Number.EPSILON / 2)),
  { minLength: 1, maxLength: 60 },
)
const roleIds = fc.uniqueArray(fc.integer({ min: 1, max: 1_000_000 }), { maxLength: 30 })

/** Returns these numbers in turn, again and again. */
function randomOf(numbers: number[]): () => number {
  let calls = 0
  return () => numbers[calls++ % numbers.length] ?? 0
}

describe('sampleRsvp', () => {
  it('is always a response that can be sent', () => {
    fc.assert(
      fc.property(chances, roleIds, (numbers, ids) => {
        const parsed = rsvp.safeParse(sampleRsvp(randomOf(numbers), ids))
        expect(parsed.error?.issues).toBeUndefined()
        for (const role of parsed.data?.volunteerRoles ?? []) expect(ids).toContain(role)
      }),
      { numRuns: 5000 },
    )
  })

  it('has no family members, roles or calendar when it does not attend', () => {
    fc.assert(
      fc.property(chances, roleIds, (numbers, ids) => {
        const sample = sampleRsvp(randomOf(numbers), ids)
        if (sample.attending) return
        expect(sample).toMatchObject({ familyMembers: [], volunteerRoles: [], addToCalendar: false })
        expect(sample.calendarType).toBeUndefined()
      }),
      { numRuns: 2000 },
    )
  })

  it('has only addresses to which no mail can be delivered', () => {
    const samples = Array.from({ length: 2000 }, () => sampleRsvp(Math.random, [1, 2, 3]))
    for (const { email } of samples) expect(email).toMatch(/^[a-z]+\.[a-z]+\d+@sample\.example$/)
  })

  it('is of every kind', () => {
    const samples = Array.from({ length: 2000 }, () => sampleRsvp(Math.random, [1, 2, 3]))
    const count = (is: (sample: (typeof samples)[number]) => boolean) => samples.filter(is).length
    expect(count(({ attending }) => attending)).toBeGreaterThan(count(({ attending }) => !attending))
    expect(count(({ attending }) => !attending)).toBeGreaterThan(0)
    expect(count(({ familyMembers }) => Array.isArray(familyMembers) && familyMembers.length === 4)).toBeGreaterThan(0)
    expect(count(({ volunteerRoles }) => Array.isArray(volunteerRoles) && volunteerRoles.length > 0)).toBeGreaterThan(0)
    expect(count(({ message }) => message !== undefined)).toBeGreaterThan(0)
    expect(count(({ calendarType }) => calendarType === 'ical')).toBeGreaterThan(0)
    expect(new Set(samples.map(({ name }) => name)).size).toBeGreaterThan(100)
  })

  it('is the same for the same numbers', () => {
    expect(sampleRsvp(randomOf([0.1, 0.7, 0.4]), [1, 2])).toEqual(sampleRsvp(randomOf([0.1, 0.7, 0.4]), [1, 2]))
  })
})
