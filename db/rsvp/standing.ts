import { and, asc, eq, gt, gte, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import { audit } from '#db/audit.ts'
import { type Call, parseInput } from '#db/call.ts'
import { readSchedule } from '#db/schedule.ts'
import { getSettings } from '#db/settings.ts'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { rsvps, type Standing, standingRsvps } from '#db/tables/rsvp.ts'
import { UserError } from '#db/values/errors.ts'
import { WRITE_BATCH_SIZE } from '#db/values/rsvp.ts'
import { SERVICES_OFFERED } from '#db/values/schedule.ts'
import { scheduledService } from '#db/values/services.ts'
import { QUIET_DAYS, type StandingHousehold, standingChange } from '#db/values/standing.ts'
import { daysBefore } from '#db/values/time-zone.ts'
import { isSuperseded, personOf } from './duplicates.ts'
import { isLive, oneOf, readStored } from './read.ts'
import { dropFilledRoles } from './roles.ts'
import { momentOfEnd } from './write.ts'

/** How many days after its end a standing RSVP is forgotten with its links, at the latest. */
const ENDED_DAYS = 30

const isNotEnded = isNull(standingRsvps.endedAt)
/** Ended by the household itself: its end is also when it was last heard from. */
const isResumable = eq(standingRsvps.endedAt, standingRsvps.seenAt)

/** The households that come every week, the first first. */
export async function listStanding(): Promise<StandingHousehold[]> {
  const { id, name, email, phone, since, seenAt } = standingRsvps
  const alive = await db
    .select({ id, name, email, phone, since, seenAt })
    .from(standingRsvps)
    .where(isNotEnded)
    .orderBy(asc(id))
  const personIn = (household: (typeof alive)[number]) => personOf({ ...household, serviceDate: '' })
  const last = new Map(alive.map((household) => [personIn(household), household.id]))
  return alive.map((household) => ({
    ...household,
    endsAt: daysBefore(household.seenAt, -QUIET_DAYS),
    sentAgain: household.email !== '' && last.get(personIn(household)) !== household.id,
  }))
}

/**
 * Stores that a household still comes, and so ends a year from now, or that it does not.
 * @throws UserError 'not-found' when no household comes every week under this id (any more).
 */
export async function changeStanding(input: unknown, call: Call) {
  const { id, comes } = parseInput(standingChange, input)
  return transaction(async (tx): Promise<void> => {
    const isThis = and(eq(standingRsvps.id, id), isNotEnded)
    const [household] = await db.select().from(standingRsvps).where(isThis)
    if (household === undefined) throw new UserError('no-such-household', { id: String(id) })
    if (!comes) return endStandingsIn(tx, [id], call)
    await markSeen(tx, household, call)
    await audit(tx, call, 'standing RSVP kept', String(id))
  })
}

/** Ends a batch of those that have been quiet for `QUIET_DAYS`; none is left when it returns 0. */
export async function endQuietStandings(call: Call) {
  return transaction(async (tx): Promise<number> => {
    const { id, seenAt } = standingRsvps
    const isOver = and(isNotEnded, lt(seenAt, daysBefore(call.now, QUIET_DAYS)))
    const most = Math.floor(WRITE_BATCH_SIZE / SERVICES_OFFERED)
    const over = await tx.select({ id }).from(standingRsvps).where(isOver).limit(most)
    const ids = over.map((standing) => standing.id)
    await endStandingsIn(tx, ids, call)
    return ids.length
  })
}

/** Forgets the households whose standing RSVPs ended a while ago, and with them their links. */
export async function forgetEndedStandings(call: Call): Promise<void> {
  const isOver = lt(standingRsvps.endedAt, daysBefore(call.now, await countEndedDays()))
  await transaction((tx) => tx.delete(standingRsvps).where(isOver))
}

/** After how many days a standing RSVP that has ended is forgotten. */
export async function countEndedDays(): Promise<number> {
  const { retentionDays } = await getSettings()
  return Math.min(ENDED_DAYS, retentionDays ?? ENDED_DAYS)
}

/**
 * Ends standing RSVPs, except those that have ended: withdraws their RSVPs for services that have not begun, and keeps
 * the others. `resumeStanding` finds the withdrawn ones by the moment of the end. One that another RSVP supersedes keeps
 * the moment of its last change, and so stays superseded once it is back.
 * @param byHousehold whether a household ends its own, and so can take that back. An end by others is final.
 */
export async function endStandingsIn(tx: Transaction, ids: number[], call: Call, byHousehold = false): Promise<void> {
  const now = call.now.toISOString()
  const { id, endedAt } = standingRsvps
  const moment = momentOfEnd(call.now)
  const ended = await tx
    .update(standingRsvps)
    .set({ endedAt: moment, ...(byHousehold && { seenAt: moment }) })
    .where(and(inArray(id, ids), byHousehold ? isNotEnded : or(isNotEnded, isResumable)))
    .returning({ id })
  if (ended.length === 0) return
  const endedIds = ended.map(({ id }) => id)
  await audit(tx, call, 'standing RSVP ended', endedIds.map(String))
  const { date, startsAt } = scheduledService(await readSchedule(), call.now)
  const isAhead = startsAt > now ? gte(rsvps.serviceDate, date) : gt(rsvps.serviceDate, date)
  const isTheirs = and(inArray(rsvps.standingId, endedIds), isAhead)
  await tx.update(rsvps).set({ linkHash: null }).where(isTheirs)
  const deletedAt = sql<string>`(SELECT ${endedAt} FROM ${standingRsvps} WHERE ${id} = ${rsvps.standingId})`
  const changedAt = sql<string>`iif(${isSuperseded}, ${rsvps.changedAt}, ${deletedAt})`
  const isWithdrawn = and(isTheirs, isLive)
  const withdrawn = await tx.update(rsvps).set({ deletedAt, changedAt }).where(isWithdrawn).returning({ id: rsvps.id })
  const withdrawnIds = withdrawn.map((rsvp) => String(rsvp.id))
  await audit(tx, call, 'response deleted', withdrawnIds)
}

/**
 * Takes back the end of a standing RSVP by its household: what the end has withdrawn counts again, without roles that
 * others have filled since, unless the service is over. Repeating it changes nothing.
 */
export async function resumeStanding(tx: Transaction, { id, endedAt }: Standing, call: Call): Promise<void> {
  if (endedAt === null) return
  const { date } = scheduledService(await readSchedule(), call.now)
  const isAhead = and(eq(rsvps.standingId, id), gte(rsvps.serviceDate, date))
  const withdrawn = await readStored(and(isAhead, eq(rsvps.deletedAt, endedAt)))
  for (const stored of withdrawn) if (stored.attending) await dropFilledRoles(tx, stored)
  const ids = withdrawn.map((stored) => stored.id)
  await tx.update(rsvps).set({ deletedAt: null }).where(oneOf(ids))
  await tx.update(standingRsvps).set({ endedAt: null, seenAt: call.now.toISOString() }).where(eq(standingRsvps.id, id))
  await audit(tx, call, 'standing RSVP kept', String(id))
  await audit(tx, call, 'response restored', ids.map(String))
}

/** Stores that the household was heard from. @throws UserError 'gone' once it has ended "every week". */
export async function markSeen(tx: Transaction, { id, endedAt }: Standing, { now }: Call): Promise<void> {
  if (endedAt !== null) throw new UserError('household-ended')
  await tx.update(standingRsvps).set({ seenAt: now.toISOString() }).where(eq(standingRsvps.id, id))
}
