import { millisecondsInMinute } from 'date-fns/constants'
import { differenceInDays } from 'date-fns/differenceInDays'
import { and, inArray, isNull, lt, max, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { audit } from '#db/audit.ts'
import { type Call, parseInput } from '#db/call.ts'
import { getSettings } from '#db/settings.ts'
import { db, transaction } from '#db/storage/client.ts'
import { storedSettings } from '#db/tables/invitation.ts'
import { mailQueue } from '#db/tables/mail.ts'
import { familyMembers, prayers, privateLinks, rsvps, SAMPLE_KEY } from '#db/tables/rsvp.ts'
import { WRITE_BATCH_SIZE } from '#db/values/rsvp.ts'
import { ANONYMOUS, anonymousFields } from '#db/values/rsvp-fields.ts'
import { retention, settingsRequest } from '#db/values/settings.ts'
import { daysBefore } from '#db/values/time-zone.ts'
import { markSuperseded } from './duplicates.ts'
import { oneOf } from './read.ts'
import { isNotAnonymous } from './search.ts'

/** How long a deleted response can be restored, in days. */
export const RESTORABLE_DAYS = 30
/** A site may be off for a month; a clock that has moved on further may be wrong. */
const MOST_DAYS_APART = 45
/** A response that is stored while this runs is a little younger than the call. */
const TOLERANCE_MS = millisecondsInMinute

/** Replaces the key, which, like the body hash, could confirm a guess at the request. A sample stays a sample. */
const anonymousKey = sql`iif(${rsvps.key} LIKE ${`${SAMPLE_KEY}%`}, ${SAMPLE_KEY}, '') || lower(hex(randomblob(16)))`

/**
 * Why nothing may be removed by date, as a sentence that says what to do: the clock is behind the last purge, or far ahead
 * of it. Before the first purge, the newest response counts.
 */
export async function findPurgeDoubt({ now }: Call): Promise<string | undefined> {
  const [stored] = await db.select({ purgedAt: storedSettings.purgedAt }).from(storedSettings)
  const [newest] = await db.select({ createdAt: max(rsvps.createdAt) }).from(rsvps)
  const known = stored?.purgedAt ?? newest?.createdAt
  if (!known) return undefined
  const days = differenceInDays(now, known)
  const isBehind = now.getTime() + TOLERANCE_MS < new Date(known).getTime()
  if (!isBehind && days < MOST_DAYS_APART) return undefined
  const [shown, last] = [now.toISOString(), known].map((moment) => `${moment.slice(0, 16).replace('T', ' ')} UTC`)
  const apart = isBehind ? 'before' : `${days} days after`
  return `Nothing is made anonymous, erased or removed by date, because the clock shows ${shown}, ${apart} the latest moment known, ${last}. Set the clock right; if it is right, save Settings › People › Keeping once more.`
}

/** The settings, and how many responses are older than so many days and not anonymous yet, if that is asked. */
export async function getSettingsAndOld(input: unknown, call: Call) {
  const { olderThan } = parseInput(settingsRequest, input)
  const stored = await getSettings()
  return olderThan === undefined ? stored : { ...stored, old: await db.$count(rsvps, isOld(olderThan, call.now)) }
}

/**
 * Removes names, addresses, texts, prayer requests and messages to send from a batch of responses older than `days`,
 * and keeps what is counted: attendance, age groups and roles. None is left when it returns 0.
 */
export async function anonymizeOldRsvps(input: unknown, call: Call) {
  const { days } = parseInput(retention, input)
  return transaction(async (tx): Promise<number> => {
    const old = tx.select({ id: rsvps.id }).from(rsvps).where(isOld(days, call.now))
    const ids = (await old.orderBy(rsvps.id).limit(WRITE_BATCH_SIZE)).map(({ id }) => id)
    if (ids.length === 0) return 0
    // Must be first: the last write removes the fields by which duplicates are found.
    await markSuperseded(tx, ids)
    await tx.update(familyMembers).set({ name: ANONYMOUS }).where(inArray(familyMembers.rsvpId, ids))
    await tx
      .update(rsvps)
      .set({
        ...anonymousFields,
        identity: null,
        key: anonymousKey,
        bodyHash: null,
        linkHash: null,
        standingId: null,
      })
      .where(oneOf(ids))
    await tx.delete(prayers).where(inArray(prayers.rsvpId, ids))
    await tx.delete(privateLinks).where(inArray(privateLinks.rsvpId, ids))
    await tx.delete(mailQueue).where(inArray(mailQueue.rsvpId, ids))
    await audit(tx, call, 'responses made anonymous', String(ids.length))
    return ids.length
  })
}

/** Erases a batch of responses deleted too long ago to be restored; none is left when it returns 0. */
export async function eraseOldDeletions(call: Call) {
  return transaction(async (tx): Promise<number> => {
    const batch = tx.select({ id: rsvps.id }).from(rsvps).where(isRestorableNoMore(call.now)).limit(WRITE_BATCH_SIZE)
    const erased = await tx.delete(rsvps).where(inArray(rsvps.id, batch)).returning({ id: rsvps.id })
    if (erased.length > 0) await audit(tx, call, 'responses erased', String(erased.length))
    return erased.length
  })
}

/** Erases the prayer requests that are older than the settings allow. */
export async function eraseOldPrayers(call: Call): Promise<void> {
  const { prayerDays } = await getSettings()
  if (prayerDays === null) return
  const isOver = lt(prayers.createdAt, daysBefore(call.now, prayerDays))
  await transaction((tx) => tx.delete(prayers).where(isOver))
}

/**
 * The moment from which the retention of a response counts. For a household that comes every week, it is the
 * day of the service: the RSVP may have been written long before.
 */
const keptFrom = sql<string>`max(${rsvps.createdAt},
  iif(${rsvps.standingId} IS NULL, '', ${rsvps.serviceDate}))`

/** How many responses are to be purged now. */
export async function countDue(call: Call): Promise<number> {
  const { retentionDays } = await getSettings()
  const isErased = isRestorableNoMore(call.now)
  return db.$count(rsvps, retentionDays === null ? isErased : or(isErased, isOld(retentionDays, call.now)))
}

/**
 * Not of a household that comes every week and a service to come: without it, it would be written again. Nor one that a
 * merge has deleted, as long as its prayer request is kept.
 */
function isRestorableNoMore(now: Date): SQL {
  const isNotAhead = or(isNull(rsvps.standingId), lt(rsvps.serviceDate, daysBefore(now, 2)))
  const asksNothing = notInArray(rsvps.id, db.select({ id: prayers.rsvpId }).from(prayers))
  const isOver = and(isNotAhead, or(isNull(rsvps.mergedInto), asksNothing))
  return and(lt(rsvps.deletedAt, daysBefore(now, RESTORABLE_DAYS)), isOver) as SQL
}

/** Older than `days` and not anonymous yet. */
function isOld(days: number, now: Date): SQL {
  return and(isNotAnonymous, lt(keptFrom, daysBefore(now, days))) as SQL
}
