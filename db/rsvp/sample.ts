import { randomUUID } from 'node:crypto'
import { and, like, notLike } from 'drizzle-orm'
import * as z from 'zod/mini'
import { audit } from '#db/audit.ts'
import { type Call, parseInput } from '#db/call.ts'
import { getFeatures } from '#db/features.ts'
import { readSchedule } from '#db/schedule.ts'
import { db, transaction } from '#db/storage/client.ts'
import { rsvps, SAMPLE_KEY } from '#db/tables/rsvp.ts'
import { type RsvpInput, rsvp } from '#db/values/rsvp.ts'
import { nextService, offeredServices } from '#db/values/services.ts'
import { isLive } from './read.ts'
import { listVolunteerRoles } from './roles.ts'
import { dropDisabledFields } from './submit.ts'
import { insertRsvps } from './write.ts'

const isSample = like(rsvps.key, `${SAMPLE_KEY}%`)

const createSampleRsvpsInput = z.array(z.iso.datetime())

/** Stores one sample response for each of these moments (ISO 8601 in UTC), in that order and one write. */
export async function createSampleRsvps(input: unknown, call: Call): Promise<void> {
  const moments = parseInput(createSampleRsvpsInput, input)
  const [roles, schedule, features] = await Promise.all([listVolunteerRoles(call), readSchedule(), getFeatures()])
  // A sample must not take the place of a visitor.
  const roleIds = roles.filter(({ needed }) => needed === undefined).map(({ id }) => id)
  const [current] = offeredServices(schedule, call.now)
  const samples = moments.map((createdAt) => {
    const isForCurrent = current !== undefined && Math.random() < 0.5
    const { date: serviceDate } = isForCurrent ? current : nextService(schedule, new Date(createdAt))
    const sample = rsvp.parse(dropDisabledFields(sampleRsvp(Math.random, roleIds), features))
    return { ...sample, createdAt, serviceDate, key: SAMPLE_KEY + randomUUID(), bodyHash: null }
  })
  await transaction((tx) => insertRsvps(tx, samples))
}

export async function hasRealRsvps(): Promise<boolean> {
  const real = and(notLike(rsvps.key, `${SAMPLE_KEY}%`), isLive)
  return (await db.select({ id: rsvps.id }).from(rsvps).where(real).limit(1)).length > 0
}

export async function countSampleRsvps(): Promise<number> {
  return db.$count(rsvps, isSample)
}

/** Deletes all sample responses; returns how many. */
export async function deleteSampleRsvps(call: Call) {
  return transaction(async (tx): Promise<number> => {
    const deleted = await tx.delete(rsvps).where(isSample).returning({ id: rsvps.id })
    if (deleted.length > 0) await audit(tx, call, 'samples removed', String(deleted.length))
    return deleted.length
  })
}

const firstNames = 'Abigail Ana Carmen Daniel Elias Grace Hana Joel Lucía Maria Noah Ruth Samuel Yusuf Zoë 민준'.split(
  ' ',
)
const lastNames = 'Álvarez Brown Cole Costa Fischer Haddad Kim Mensah Nguyen O’Neil Petrova Smith'.split(' ')
const messages = [
  'Looking forward to it!',
  'We will be a little late, please keep two seats near the door.',
  'Please pray for my mother, she is in hospital.',
  'One of us is vegetarian.\nThank you for the meal!',
]

/** A plausible response. `random` returns numbers from 0 up to 1; `roleIds` are the roles offered. */
export function sampleRsvp(random: () => number, roleIds: number[]) {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item
  const chance = (probability: number) => random() < probability
  const last = pick(lastNames)
  const attending = chance(0.8)
  const calendarType = attending && chance(0.3) ? pick(['google', 'ical'] as const) : undefined
  const members = attending && chance(0.5) ? 1 + Math.floor(random() * 4) : 0
  return {
    name: `${pick(firstNames)} ${last}`,
    email: `visitor${Math.floor(random() * 1_000_000)}@sample.example`,
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
