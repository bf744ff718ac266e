import type { RsvpInput } from '#db/rsvp/schema.ts'

/** The prefix of the idempotency keys of samples. A key from a browser cannot contain its blank. */
export const SAMPLE_KEY = 'sample '

const firstNames =
  'Abigail Ana Bao Carmen Chidi Daniel Dina Elias Esther Femi Grace Hana Ines Isaac Joel Kateryna Kwame Lena Lucía Malik Maria Mateo Miriam Naomi Noah Olga Paulo Priya Ruth Samuel Sofía Thandi Tomás Yusuf Zoë 민준 서연'.split(
    ' ',
  )
const lastNames =
  'Adeyemi Álvarez Becker Brown Cole Costa Dlamini Fischer García Haddad Ivanova Johnson Kim Kowalski Larsen Mensah Miller Nguyen O’Neil Okafor Patel Petrova Reyes Rossi Santos Schneider Silva Smith Tanaka Williams'.split(
    ' ',
  )
const messages = [
  'Looking forward to it!',
  'We will be a little late, please keep two seats near the door.',
  'Please pray for my mother, she is in hospital.',
  'Is there parking for a van?',
  'One of us is vegetarian.\nThank you for the meal!',
  'Could you give us a lift from the station?',
  'Greetings from the whole family.',
]

/** A plausible response. `random` returns numbers from 0 up to 1; `roleIds` are the roles offered. */
export function sampleRsvp(random: () => number, roleIds: number[]) {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item
  const chance = (probability: number) => random() < probability
  const first = pick(firstNames)
  const last = pick(lastNames)
  const attending = chance(0.8)
  const calendarType = attending && chance(0.3) ? pick(['google', 'ical'] as const) : undefined
  const members = attending && chance(0.5) ? 1 + Math.floor(random() * 4) : 0
  return {
    name: `${first} ${last}`,
    email: `${addressPart(first)}.${addressPart(last)}${Math.floor(random() * 1000)}@sample.example`,
    phone: chance(0.6) ? `555-01${String(Math.floor(random() * 100)).padStart(2, '0')}` : undefined,
    message: chance(0.25) ? pick(messages) : undefined,
    attending,
    addToCalendar: calendarType !== undefined,
    calendarType,
    familyMembers: Array.from({ length: members }, () => ({
      name: `${pick(firstNames)} ${last}`,
      age: pick(['adult', 'teen', 'child', 'child', undefined] as const),
      attending: chance(0.9),
    })),
    volunteerRoles: attending && roleIds.length > 0 && chance(0.3) ? [pick(roleIds)] : [],
    serviceDate: undefined,
  } satisfies RsvpInput & Record<keyof RsvpInput, unknown>
}

/** Only letters that every mail server takes. */
function addressPart(name: string): string {
  const letters = name
    .normalize('NFKD')
    .replace(/[^a-z]/gi, '')
    .toLowerCase()
  return letters === '' ? 'visitor' : letters
}
