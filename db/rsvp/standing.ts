import { and, asc, eq, gt, gte, inArray, isNull, lt } from 'drizzle-orm'
import { audit } from '#db/audit.ts'
import { type Call, parseInput } from '#db/call.ts'
import { readSchedule } from '#db/schedule.ts'
import { getSettings } from '#db/settings.ts'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { rsvps, type Standing, standingRsvps } from '#db/tables/rsvp.ts'
import { UserError } from '#db/values/errors.ts'
import { type StoredRsvp, WRITE_BATCH_SIZE } from '#db/values/rsvp.ts'
import { SERVICES_OFFERED } from '#db/values/schedule.ts'
import { scheduledService } from '#db/values/services.ts'
import { QUIET_DAYS, type StandingHousehold, standingChange } from '#db/values/standing.ts'
import { daysBefore } from '#db/values/time-zone.ts'
import { personOf } from './duplicates.ts'
import { isLive, oneOf, readStored } from './read.ts'
import { momentOfChange } from './write.ts'

/** How long the link of an ended standing RSVP says so, in days; then its household is forgotten. */
const ENDED_DAYS = 30

const isNotEnded = isNull(standingRsvps.endedAt)

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
    const household = await getAlive(id)
    if (!comes) return endStandingsIn(tx, [id], call)
    await markSeen(tx, household, call)
    await audit(tx, call, 'standing RSVP kept', String(id))
  })
}

/** @throws UserError 'not-found' when no household comes every week under this id (any more). */
async function getAlive(id: number) {
  const [found] = await db
    .select()
    .from(standingRsvps)
    .where(and(eq(standingRsvps.id, id), isNotEnded))
  if (found !== undefined) return found
  throw new UserError('no-such-household', { id: String(id) })
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
  const { retentionDays } = await getSettings()
  const days = Math.min(ENDED_DAYS, retentionDays ?? ENDED_DAYS)
  const isOver = lt(standingRsvps.endedAt, daysBefore(call.now, days))
  await transaction((tx) => tx.delete(standingRsvps).where(isOver))
}

/**
 * Ends standing RSVPs, except those that have ended: withdraws their RSVPs for services that have not begun, and keeps
 * the others. All their links then say that it has ended.
 */
export async function endStandingsIn(tx: Transaction, ids: number[], call: Call): Promise<void> {
  const now = call.now.toISOString()
  const ended = await tx
    .update(standingRsvps)
    .set({ endedAt: now })
    .where(and(inArray(standingRsvps.id, ids), isNull(standingRsvps.endedAt)))
    .returning({ id: standingRsvps.id })
  if (ended.length === 0) return
  const endedIds = ended.map(({ id }) => id)
  await audit(tx, call, 'standing RSVP ended', endedIds.map(String))
  const { date, startsAt } = scheduledService(await readSchedule(), call.now)
  const isAhead = startsAt > now ? gte(rsvps.serviceDate, date) : gt(rsvps.serviceDate, date)
  const isTheirs = and(inArray(rsvps.standingId, endedIds), isAhead)
  await tx.update(rsvps).set({ linkHash: null }).where(isTheirs)
  await withdrawIn(tx, await readStored(and(isTheirs, isLive)), call)
}

/** Withdraws RSVPs as their sender does. */
export async function withdrawIn(tx: Transaction, withdrawn: StoredRsvp[], call: Call): Promise<void> {
  const moment = momentOfChange(call.now)
  const ids = withdrawn.map(({ id }) => id)
  await tx.update(rsvps).set({ deletedAt: moment, changedAt: moment }).where(oneOf(ids))
  await audit(tx, call, 'response deleted', ids.map(String))
}

/** Stores that the household was heard from. */
export async function markSeen(tx: Transaction, { id }: Standing, { now }: Call): Promise<void> {
  await tx.update(standingRsvps).set({ seenAt: now.toISOString() }).where(eq(standingRsvps.id, id))
}
