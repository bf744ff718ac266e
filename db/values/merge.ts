import { identityOf } from './identity.ts'
import type { StoredRsvp } from './rsvp.ts'
import type { SameSender } from './stored-rsvp.ts'

/**
 * Combines a person's RSVPs: the newest, plus family members that only an earlier one names, every role, every message
 * and a phone number, so that nothing is lost by sending the form again with only a name.
 */
export function proposeMerge([newest, ...earlier]: SameSender): StoredRsvp {
  const all = [newest, ...earlier]
  const roles = all.flatMap(({ volunteerSignups }) => volunteerSignups)
  const messages = all.flatMap(({ message }) => message ?? [])
  return {
    ...newest,
    firstVisit: all.some((rsvp) => rsvp.firstVisit),
    phone: all.find(({ phone }) => phone !== null)?.phone ?? null,
    message: Array.from(new Set(messages)).reverse().join('\n\n') || null,
    familyMembers: proposeFamily(all),
    volunteerSignups: roles.filter(
      ({ role }, place) => roles.findIndex((other) => other.role.id === role.id) === place,
    ),
  }
}

/** Everyone whom any of them names, once, as the last word about them says; those of the newest first. */
function proposeFamily(rsvps: StoredRsvp[]): StoredRsvp['familyMembers'] {
  const named = rsvps.flatMap(({ familyMembers }, place) =>
    familyMembers.map((member) => ({ member, place, identity: identityOf(member.name) })),
  )
  return named.flatMap(({ member, place, identity }) => {
    const same = named.filter((other) => other.identity === identity)
    if (same.some((other) => other.place < place)) return []
    const aged = same.find((other) => other.place > place && other.member.age !== null)
    // A sender who no longer comes has not said that the others do.
    const comes = place === 0 || rsvps[0]?.attending === true
    return [{ ...member, age: member.age ?? aged?.member.age ?? null, attending: member.attending && comes }]
  })
}
