import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { and, asc, eq, gt, isNull, lt, lte, min } from 'drizzle-orm'
import { findDoubt } from '#db/clock/clock.ts'
import { getFeatures } from '#db/feature/operations.ts'
import { type Call, operationWithoutInput } from '#db/operation.ts'
import { personOf } from '#db/rsvp/duplicates.ts'
import { readRoom } from '#db/rsvp/roles.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { sentAs } from '#db/rsvp/stored.ts'
import { rsvps, UNSTAMPED } from '#db/rsvp/table.ts'
import { insertRsvps, type NewRsvp } from '#db/rsvp/write.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import { currentService, servicesFrom } from '#db/schedule/services.ts'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { addDays } from '#db/values/dates.ts'
import { daysBefore } from '#db/values/time-zone.ts'
import { QUIET_DAYS } from './schema.ts'
import { type Standing, standingRsvps } from './table.ts'

/** How many RSVPs one statement writes: some milliseconds, in which nothing else runs. */
const WRITTEN_AT_ONCE = 50

/**
 * Writes the RSVPs that are due from standing RSVPs: up to this week's service, each service in one transaction. Does
 * nothing while the clock is doubtful. Several processes can call it at once.
 * @returns how many it wrote.
 */
export const writeStandingRsvps = operationWithoutInput(async (call): Promise<number> => {
  let written = 0
  while ((await findDueDay(call)) !== undefined && (await findDoubt(call)) === undefined)
    written += await transaction((tx) => writeDue(tx, call), { repeatable: true })
  return written
})

/**
 * Looks again at the services from this week's on, in the transaction of a change of the schedule: `writeStandingRsvps`
 * then writes what is missing. RSVPs for services that are skipped now stay, as all others do.
 */
export async function followSchedule(tx: Transaction, { now }: Call): Promise<void> {
  const dayBefore = addDays(currentService(await readSchedule(), now).date, -1)
  await tx.update(standingRsvps).set({ writtenUntil: dayBefore }).where(gt(standingRsvps.writtenUntil, dayBefore))
}

/**
 * The first service that is not written yet; undefined if all are, up to this week's, or while it is not known for which
 * service some RSVPs are.
 */
async function findDueDay({ now }: Call): Promise<string | undefined> {
  const [first] = await db
    .select({ writtenUntil: min(standingRsvps.writtenUntil) })
    .from(standingRsvps)
    .where(isAlive(now))
  const writtenUntil = first?.writtenUntil
  if (!writtenUntil) return undefined
  const schedule = await readSchedule()
  const { date } = currentService(schedule, now)
  if (writtenUntil >= date || (await db.$count(rsvps, eq(rsvps.serviceDate, UNSTAMPED))) > 0) return undefined
  return servicesFrom(schedule, new Date(writtenUntil)).find((service) => service.date > writtenUntil)?.date
}

/** One that has been quiet for too long counts as ended, even before the maintenance ends it. */
export function isAlive(now: Date) {
  return and(isNull(standingRsvps.endedAt), gt(standingRsvps.seenAt, daysBefore(now, QUIET_DAYS)))
}

async function writeDue(tx: Transaction, call: Call): Promise<number> {
  // Another process may have written it meanwhile.
  const day = await findDueDay(call)
  if (day === undefined) return 0
  const isDue = and(isAlive(call.now), lt(standingRsvps.writtenUntil, day))
  const due = await tx
    .select()
    .from(standingRsvps)
    .where(and(isDue, lte(standingRsvps.since, day)))
    .orderBy(asc(standingRsvps.id))
  const writing = await planRsvps(due, day, call)
  for (let done = 0; done < writing.length; done += WRITTEN_AT_ONCE) {
    await insertRsvps(tx, writing.slice(done, done + WRITTEN_AT_ONCE))
    await nextTurn()
  }
  await tx.update(standingRsvps).set({ writtenUntil: day }).where(isDue)
  return writing.length
}

/** Who stands first gets a role first. Of a household that has said it twice, the last word counts. */
async function planRsvps(due: Standing[], day: string, call: Call): Promise<NewRsvp[]> {
  const { familyRsvp, volunteerSignup } = await getFeatures(call)
  const { standingId, email, name, deletedAt, serviceDate } = rsvps
  const sent = await db
    .select({ standingId, email, name, deletedAt, serviceDate })
    .from(rsvps)
    .where(eq(serviceDate, day))
  const written = new Set(sent.map((rsvp) => rsvp.standingId))
  const people = new Set(sent.filter((rsvp) => rsvp.deletedAt === null).map(personOf))
  const last = new Map(due.map((standing) => [personOf({ ...standing, serviceDate: day }), standing.id]))
  const room = volunteerSignup ? await readRoom(day) : new Map<number, number>()
  return due.flatMap((standing) => {
    const person = personOf({ ...standing, serviceDate: day })
    const isOther = standing.email !== '' && (people.has(person) || last.get(person) !== standing.id)
    if (written.has(standing.id) || isOther) return []
    const roles = standing.volunteerRoles.filter((role) => (room.get(role) ?? 0) > 0)
    for (const role of new Set(roles)) room.set(role, (room.get(role) ?? 0) - 1)
    const planned = toRsvp({ ...standing, ...(!familyRsvp && { familyMembers: [] }) }, day, [])
    return { ...toNewRsvp(standing, planned, call), volunteerRoles: roles }
  })
}

/** What a standing RSVP gives for the service on a day, as an RSVP that has no id yet. */
export function toRsvp(standing: Standing, serviceDate: string, roles: { id: number; name: string }[]): StoredRsvp {
  const { name, email, phone, familyMembers, suspicion, createdAt, remind } = standing
  return {
    ...{ id: 0, name, email, phone, message: null, attending: true, addToCalendar: false, calendarType: null },
    ...{ createdAt, deletedAt: null, suspicion, serviceDate, changedAt: null, mergedInto: null },
    familyMembers: familyMembers.map(({ age = null, ...member }) => ({ ...member, age })),
    volunteerSignups: roles.map(({ id, name }) => ({ role: { id, name } })),
    ...{ standing: true, firstVisit: false, remind },
  }
}

/** The same to be stored now. */
export function toNewRsvp({ id: standingId, language }: Standing, planned: StoredRsvp, { now }: Call): NewRsvp {
  const { id: _, ...sent } = sentAs(planned)
  const own = { key: randomUUID(), bodyHash: null, standingId, language: language ?? undefined }
  return { ...sent, ...own, createdAt: now.toISOString() }
}
