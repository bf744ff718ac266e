import { and, asc, eq, isNull, lt } from 'drizzle-orm'
import { audit } from '#db/audit/operations.ts'
import { UserError } from '#db/errors.ts'
import { operation, operationWithoutInput } from '#db/operation.ts'
import { markSeen } from '#db/private-link/standing.ts'
import { personOf } from '#db/rsvp/duplicates.ts'
import { WRITE_BATCH_SIZE } from '#db/rsvp/schema.ts'
import { SERVICES_OFFERED } from '#db/schedule/schema.ts'
import { getSettings } from '#db/settings/operations.ts'
import { db, transaction } from '#db/storage/client.ts'
import { daysBefore } from '#db/values/time-zone.ts'
import { QUIET_DAYS, type StandingHousehold, standingChange } from './schema.ts'
import { endStandingsIn } from './start-end.ts'
import { standingRsvps } from './table.ts'

/** How long the link of an ended standing RSVP says so, in days; then its household is forgotten. */
const ENDED_DAYS = 30

const isNotEnded = isNull(standingRsvps.endedAt)

/** The households that come every week, the first first. */
export const listStanding = operationWithoutInput(async (): Promise<StandingHousehold[]> => {
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
})

/**
 * Stores that a household still comes, and so ends a year from now, or that it does not.
 * @throws UserError 'not-found' when no household comes every week under this id (any more).
 */
export const changeStanding = operation(standingChange, ({ id, comes }, call) =>
  transaction(async (tx): Promise<void> => {
    const household = await getAlive(id)
    if (!comes) return endStandingsIn(tx, [id], call)
    await markSeen(tx, household, call)
    await audit(tx, call, 'standing RSVP kept', String(id))
  }),
)

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
export const endQuietStandings = operationWithoutInput((call) =>
  transaction(async (tx): Promise<number> => {
    const { id, seenAt } = standingRsvps
    const isOver = and(isNotEnded, lt(seenAt, daysBefore(call.now, QUIET_DAYS)))
    const most = Math.floor(WRITE_BATCH_SIZE / SERVICES_OFFERED)
    const over = await tx.select({ id }).from(standingRsvps).where(isOver).limit(most)
    const ids = over.map((standing) => standing.id)
    await endStandingsIn(tx, ids, call)
    return ids.length
  }),
)

/** Forgets the households whose standing RSVPs ended a while ago, and with them their links. */
export const forgetEndedStandings = operationWithoutInput(async (call): Promise<void> => {
  const { retentionDays } = await getSettings(call)
  const days = Math.min(ENDED_DAYS, retentionDays ?? ENDED_DAYS)
  const isOver = lt(standingRsvps.endedAt, daysBefore(call.now, days))
  await transaction((tx) => tx.delete(standingRsvps).where(isOver))
})
