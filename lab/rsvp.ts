import { type AgeGroup, ageGroups } from '#db/rsvp/family-member.ts'
import type { Random } from './random.ts'

const ROLES = [1, 2, 3, 4, 5, 6]
const LONGEST_MESSAGE = 1900

/** The body of `POST /api/rsvp`. It must be stored with exactly these values. */
export type RsvpBody = {
  name: string
  /** Starts with the token of the RSVP, so that a stored row tells where it comes from. */
  email: string
  phone: string | null
  message: string | null
  attending: boolean
  familyMembers: { name: string; age: AgeGroup | null; attending: boolean }[]
  volunteerRoles: number[]
}

/** An RSVP of any shape: with and without family members and roles, short and long. */
export function makeRsvp(token: string, random: Random): RsvpBody {
  const members = random.chance(0.7) ? random.below(5) : 0
  const padding = 'x'.repeat(random.chance(0.2) ? random.below(LONGEST_MESSAGE) : 0)
  return {
    name: `Visitor ${token}`,
    email: `${token}@visitor.example`,
    phone: random.chance(0.3) ? `+1 555 ${random.below(10_000)}` : null,
    message: random.chance(0.8) ? `To ${token}. ${padding}`.trim() : null,
    attending: random.chance(0.8),
    familyMembers: Array.from({ length: members }, (_, position) => ({
      name: `Member ${position} of ${token}`,
      age: random.pick([...ageGroups, null]),
      attending: random.chance(0.9),
    })),
    volunteerRoles: ROLES.filter(() => random.chance(0.3)),
  }
}

export function tokenOf(email: string): string {
  return email.split('@')[0] ?? ''
}

/** The idempotency key of a visitor who sends one. */
export function keyOf(token: string): string {
  return `key-of-${token}`
}
