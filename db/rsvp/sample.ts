import { randomUUID } from 'node:crypto'
import { and, inArray, like, notLike } from 'drizzle-orm'
import * as z from 'zod/mini'
import { audit } from '#db/audit/operations.ts'
import { getFeatures } from '#db/feature/operations.ts'
import { operation, operationWithoutInput } from '#db/operation.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import type { Service } from '#db/schedule/schema.ts'
import { nextService, offeredServices } from '#db/schedule/services.ts'
import { db, transaction } from '#db/storage/client.ts'
import { listVolunteerRoles } from './roles.ts'
import { type RsvpInput, rsvp, WRITE_BATCH_SIZE } from './schema.ts'
import { isLive } from './search.ts'
import { dropDisabledFields } from './submit.ts'
import { rsvps, SAMPLE_KEY } from './table.ts'
import { insertRsvps } from './write.ts'

const isSample = like(rsvps.key, `${SAMPLE_KEY}%`)

/** Stores one sample response for each of these moments (ISO 8601 in UTC), in that order and one write. */
export const createSampleRsvps = operation(z.array(z.iso.datetime()), async (moments, call): Promise<void> => {
  const [roles, schedule, features] = await Promise.all([listVolunteerRoles(call), readSchedule(), getFeatures(call)])
  // A sample must not take the place of a visitor.
  const roleIds = roles.filter(({ needed }) => needed === undefined).map(({ id }) => id)
  const [current, next] = offeredServices(schedule, call.now)
  const samples = moments.map((createdAt) => {
    const offered = offeredServices(schedule, new Date(createdAt))
    const chosen = chooseService(current, next)
    const [service = nextService(schedule, new Date(createdAt))] = offered.filter(({ date }) => date === chosen?.date)
    const sample = rsvp.parse(dropDisabledFields(sampleRsvp(Math.random, roleIds), features))
    return { ...sample, createdAt, serviceDate: service.date, key: SAMPLE_KEY + randomUUID(), bodyHash: null }
  })
  await transaction((tx) => insertRsvps(tx, samples))
})

export const hasRealRsvps = operationWithoutInput(async (): Promise<boolean> => {
  const real = and(notLike(rsvps.key, `${SAMPLE_KEY}%`), isLive)
  return (await db.select({ id: rsvps.id }).from(rsvps).where(real).limit(1)).length > 0
})

export const countSampleRsvps = operationWithoutInput((): Promise<number> => db.$count(rsvps, isSample))

/** Deletes a batch of the sample responses; returns how many. None is left when it returns 0. */
export const deleteSampleRsvps = operationWithoutInput((call) =>
  transaction(async (tx): Promise<number> => {
    const some = tx.select({ id: rsvps.id }).from(rsvps).where(isSample).limit(WRITE_BATCH_SIZE)
    const deleted = await tx.delete(rsvps).where(inArray(rsvps.id, some)).returning({ id: rsvps.id })
    if (deleted.length > 0) await audit(tx, call, 'samples removed', String(deleted.length))
    return deleted.length
  }),
)

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
    firstVisit: attending && chance(0.05),
    remind: undefined,
  } satisfies RsvpInput & Record<keyof RsvpInput, unknown>
}

/** Half for the current service, some for the next one, the rest for the one that was next at their own moment. */
function chooseService(current: Service | undefined, next: Service | undefined): Service | undefined {
  const chance = Math.random()
  if (chance < 0.5) return current
  return chance < 0.6 ? next : undefined
}

/** Only letters that every mail server accepts. */
function addressPart(name: string): string {
  const letters = name
    .normalize('NFKD')
    .replace(/[^a-z]/gi, '')
    .toLowerCase()
  return letters === '' ? 'visitor' : letters
}
