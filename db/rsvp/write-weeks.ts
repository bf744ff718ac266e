import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { and, asc, eq, gt, isNull, lt, lte, min } from 'drizzle-orm'
import type { Call } from '#db/call.ts'
import { getFeatures } from '#db/features.ts'
import { readSchedule } from '#db/schedule.ts'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { rsvps, type Standing, standingRsvps } from '#db/tables/rsvp.ts'
import { addDays, weekdayOf } from '#db/values/dates.ts'
import type { Language } from '#db/values/languages.ts'
import type { StoredRsvp } from '#db/values/rsvp.ts'
import type { Schedule } from '#db/values/schedule.ts'
import { offeredServices } from '#db/values/services.ts'
import { type EveryWeek, everyWeekFields, QUIET_DAYS } from '#db/values/standing.ts'
import { daysBefore } from '#db/values/time-zone.ts'
import { personOf } from './duplicates.ts'
import { listHolders } from './roles.ts'
import { insertRsvps, type NewRsvp } from './write.ts'

/** How many RSVPs one statement writes: some milliseconds, in which nothing else runs. */
const WRITTEN_AT_ONCE = 50

/**
 * Writes the RSVPs that are due from standing RSVPs: up to the last service offered, each service in one transaction.
 * Several processes can call it at once.
 * @returns how many it wrote.
 */
export async function writeStandingRsvps(call: Call): Promise<number> {
  let written = 0
  while ((await findDueDay(call)) !== undefined)
    written += await transaction((tx) => writeDue(tx, call), { repeatable: true })
  return written
}

type Begun = EveryWeek & Pick<StoredRsvp, 'serviceDate' | 'suspicion'> & { language?: Language | undefined }

/**
 * Stores what an RSVP says, for every week from its service on; returns the id, which belongs to the RSVP as well. Call
 * `writeAhead` once that is stored.
 */
export async function startStanding(tx: Transaction, begun: Begun, { now }: Call): Promise<number> {
  const { remind = false, serviceDate: since } = begun
  const moment = now.toISOString()
  const row = { ...begun, remind, since, writtenUntil: since, createdAt: moment, seenAt: moment }
  const [stored] = await tx.insert(standingRsvps).values(row).returning({ id: standingRsvps.id })
  if (stored === undefined) throw new Error('A standing RSVP was not stored.')
  return stored.id
}

/** Writes the other RSVPs of a household that has just begun with one. */
export async function writeAhead(tx: Transaction, id: number, call: Call): Promise<void> {
  const isThis = eq(standingRsvps.id, id)
  const begun = await tx.select().from(standingRsvps).where(isThis)
  for (const day of daysOffered(begun[0]?.since ?? '', await readSchedule(), call)) {
    await writeDay(tx, begun, day)
    await tx.update(standingRsvps).set({ writtenUntil: day }).where(isThis)
  }
}

/** The days of services up to the last one offered, also skipped ones: they may be held after all. */
function daysOffered(after: string, schedule: Schedule, { now }: Call): string[] {
  const last = offeredServices(schedule, now).at(-1)?.date ?? after
  const days = []
  for (let day = after; day < last; day = addDays(day, 1))
    if (weekdayOf(addDays(day, 1)) === schedule.weekday) days.push(addDays(day, 1))
  return days
}

/** The first service that is not written yet; undefined if all are. */
async function findDueDay(call: Call): Promise<string | undefined> {
  const [first] = await db
    .select({ writtenUntil: min(standingRsvps.writtenUntil) })
    .from(standingRsvps)
    .where(isAlive(call.now))
  if (!first?.writtenUntil) return undefined
  return daysOffered(first.writtenUntil, await readSchedule(), call)[0]
}

/** A household that has been quiet for too long counts as ended, even before the maintenance ends it. */
function isAlive(now: Date) {
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
  const written = await writeDay(tx, due, day)
  await tx.update(standingRsvps).set({ writtenUntil: day }).where(isDue)
  return written
}

/** Writes the RSVPs of households for a day, except of those that have one. Returns how many it wrote. */
async function writeDay(tx: Transaction, households: Standing[], day: string): Promise<number> {
  const writing = await planRsvps(households, day)
  for (let done = 0; done < writing.length; done += WRITTEN_AT_ONCE) {
    await insertRsvps(tx, writing.slice(done, done + WRITTEN_AT_ONCE))
    await nextTurn()
  }
  return writing.length
}

/** Households that began earlier get a role first. */
async function planRsvps(households: Standing[], day: string): Promise<NewRsvp[]> {
  const { familyRsvp, volunteerSignup } = await getFeatures()
  const { standingId, email, name, deletedAt, serviceDate, createdAt, changedAt } = rsvps
  const sent = await db
    .select({ standingId, email, name, deletedAt, serviceDate, createdAt, changedAt })
    .from(rsvps)
    .where(eq(serviceDate, day))
  const written = new Set(sent.map((rsvp) => rsvp.standingId))
  const single = Map.groupBy(
    sent.filter((rsvp) => rsvp.standingId === null && rsvp.email !== ''),
    personOf,
  )
  const roles = volunteerSignup ? await listHolders(day) : []
  return households.flatMap((standing) => {
    if (written.has(standing.id)) return []
    const everyWeek = everyWeekOf(standing)
    const person = everyWeek.email === '' ? `response ${randomUUID()}` : personOf({ ...everyWeek, serviceDate: day })
    const others = single.get(person) ?? []
    const open = roles.filter(({ id: role, needed, holders }) => {
      const hasRoom = holders.has(person) || holders.size < (needed ?? Number.POSITIVE_INFINITY)
      return hasRoom && everyWeek.volunteerRoles.includes(role)
    })
    if (others.every((other) => other.deletedAt !== null)) for (const { holders } of open) holders.add(person)
    const rsvp: NewRsvp = {
      ...everyWeek,
      familyMembers: familyRsvp ? everyWeek.familyMembers : [],
      volunteerRoles: open.map((role) => role.id),
      attending: true,
      addToCalendar: false,
      firstVisit: false,
      serviceDate: day,
      standingId: standing.id,
      suspicion: standing.suspicion,
      language: standing.language ?? undefined,
      key: randomUUID(),
      bodyHash: null,
      createdAt: momentBefore(others, standing.createdAt),
    }
    return [rsvp]
  })
}

/** What a standing RSVP says, as the RSVP of one week has it. */
export function everyWeekOf(standing: Standing): EveryWeek {
  return Object.fromEntries(everyWeekFields.map((name) => [name, standing[name] ?? undefined])) as EveryWeek
}

/** The moment at which a household began to come every week; before an RSVP that it sent for this week alone, which counts instead. */
function momentBefore(others: Pick<StoredRsvp, 'createdAt' | 'changedAt'>[], moment: string): string {
  const [first] = others.map((other) => other.changedAt ?? other.createdAt).sort()
  return first === undefined || first > moment ? moment : new Date((Date.parse(first) || 1) - 1).toISOString()
}
