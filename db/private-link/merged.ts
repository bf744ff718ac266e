import { and, eq, inArray, isNull, or } from 'drizzle-orm'
import { getFeatures } from '#db/feature/operations.ts'
import { MERGED_LINK, queueMail } from '#db/mail/queue.ts'
import { isStopped } from '#db/mail/stops.ts'
import type { Call } from '#db/operation.ts'
import { prayers } from '#db/prayer/table.ts'
import { readRsvp } from '#db/rsvp/list.ts'
import { readStored } from '#db/rsvp/read.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { isLive, oneOf } from '#db/rsvp/search.ts'
import { factsOf, revisionOf, type SameSender } from '#db/rsvp/stored.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import { serviceOn } from '#db/schedule/services.ts'
import { readKeyedHash } from '#db/secret/keyed-hash.ts'
import { endStandingsIn } from '#db/standing/start-end.ts'
import { standingRsvps } from '#db/standing/table.ts'
import type { Transaction } from '#db/storage/client.ts'
import { daysBefore } from '#db/values/time-zone.ts'
import { makeLink, markAddressChanged } from './links.ts'
import { isAsWritten } from './standing.ts'
import { privateLinks } from './table.ts'

// No link ever shows or changes what was not in the RSVP that it came with: whoever knows a name and an address can send
// an RSVP in that name, and a clerk who merges it cannot see who has sent which.

/** What replaces the links that ended: a message to the address, or a secret for the clerk to hand over. */
export type NewLink = { linkMailed: boolean; linkSecret?: string }

/**
 * After a merge, the links of the RSVP that was kept live on if it had said by itself all that it says now. Else they end,
 * with those of its household that comes every week. Those of the others open nothing, because these are deleted. Of
 * several households the one that was kept stays, or else the newest.
 * @param before the merged RSVPs as they were, first the one that was kept.
 * @returns what replaces the links, unless the one that was kept has one that lives on.
 */
export async function endLinksAfterMerge(tx: Transaction, before: SameSender, call: Call): Promise<NewLink> {
  const kept = await readRsvp(before[0].id)
  const sources = await readSources(tx, before)
  const [own] = sources
  if (own === undefined) throw new Error('The RSVP that a merge has kept is missing.')
  // Someone else may have the address of what was added.
  if (sources.some(({ addressChanged }) => addressChanged)) await markAddressChanged(tx, kept.id)
  const prayer = sources.find((source) => source.prayer !== null)?.prayer
  const isAllOwn = new Set(factsOf({ ...kept, prayer })).isSubsetOf(new Set(factsOf(own)))
  const [stays = null] = sources.flatMap(({ household }) => household ?? [])
  const otherHouseholds = sources.filter(({ household }) => household !== null && household !== stays)
  await endLinks(tx, isAllOwn ? otherHouseholds : [own, ...otherHouseholds], call)
  await endHouseholds(tx, stays, householdsOf(otherHouseholds), call)
  if (!sources.some(hasLink) || (isAllOwn && hasLink(own))) return { linkMailed: false }
  return replaceLink(tx, { ...kept, language: own.language }, own.household, call)
}

type Source = Awaited<ReturnType<typeof readSources>>[number]

/** The merged RSVPs, with what links need of them; `household` is the one that comes every week. */
async function readSources(tx: Transaction, before: SameSender) {
  const { id, linkHash, language, addressChanged } = rsvps
  const isAlive = and(eq(standingRsvps.id, rsvps.standingId), isNull(standingRsvps.endedAt))
  const rows = await tx
    .select({ id, linkHash, language, addressChanged, household: standingRsvps.id, prayer: prayers.text })
    .from(rsvps)
    .leftJoin(standingRsvps, isAlive)
    .leftJoin(prayers, eq(prayers.rsvpId, id))
    .where(oneOf(before.map((own) => own.id)))
  return before.flatMap((own) => rows.filter((row) => row.id === own.id).map((row) => ({ ...own, ...row })))
}

function hasLink({ linkHash, household }: Source): boolean {
  return linkHash !== null || household !== null
}

function householdsOf(sources: Source[]): number[] {
  return sources.flatMap(({ household }) => household ?? [])
}

/** Ends the links of some RSVPs, and of their households. */
async function endLinks(tx: Transaction, sources: Source[], { now }: Call): Promise<void> {
  const { id, linkHash, standingId } = rsvps
  const households = householdsOf(sources)
  const ending = await tx
    .select({ rsvpId: id, hash: linkHash })
    .from(rsvps)
    .where(or(inArray(standingId, households), oneOf(sources.map((source) => source.id))))
  const rsvpIds = ending.map(({ rsvpId }) => rsvpId)
  const isEnding = or(inArray(privateLinks.rsvpId, rsvpIds), inArray(privateLinks.standingId, households))
  await tx.delete(privateLinks).where(and(isEnding, eq(privateLinks.purpose, 'calendar')))
  await tx.update(privateLinks).set({ purpose: 'ended' }).where(isEnding)
  const ended = { purpose: 'ended' as const, createdAt: now.toISOString() }
  const own = ending.flatMap(({ rsvpId, hash }) => (hash === null ? [] : [{ ...ended, rsvpId, hash }]))
  if (own.length > 0) await tx.insert(privateLinks).values(own).onConflictDoNothing()
}

/** What they have said for single weeks, or for weeks before those of the one that stays, stays. */
async function endHouseholds(tx: Transaction, stays: number | null, ending: number[], call: Call): Promise<void> {
  if (stays === null || ending.length === 0) return
  const [staying] = await tx.select().from(standingRsvps).where(eq(standingRsvps.id, stays))
  const { familyRsvp } = await getFeatures(call)
  for (const household of await tx.select().from(standingRsvps).where(inArray(standingRsvps.id, ending))) {
    const weeks = await readStored(and(eq(rsvps.standingId, household.id), isLive))
    const alone = weeks.filter((week) => {
      const isBefore = staying !== undefined && week.serviceDate < staying.since
      return isBefore || week.message !== null || !isAsWritten(week, household, familyRsvp)
    })
    await tx
      .update(rsvps)
      .set({ standingId: null })
      .where(oneOf(alone.map(({ id }) => id)))
  }
  await endStandingsIn(tx, ending, call)
}

/** None once it would only say that the service is over. */
async function replaceLink(
  tx: Transaction,
  kept: StoredRsvp & Pick<Source, 'language'>,
  standingId: number | null,
  call: Call,
): Promise<NewLink> {
  const { id, email, serviceDate, language } = kept
  const now = call.now.toISOString()
  const isAhead = serviceOn(await readSchedule(), serviceDate).endsAt > now
  if (standingId === null && !isAhead) return { linkMailed: false }
  if (call.sendsMail === true && email !== '' && !(await isStopped(email, await readKeyedHash()))) {
    const times = { dueAt: now, endsAt: daysBefore(call.now, -2) }
    const key = `${MERGED_LINK} ${id} ${revisionOf(kept)}`
    await queueMail(tx, [{ key, kind: 'link', address: email, language, ...times }], call.now)
    return { linkMailed: true }
  }
  const target = standingId === null ? { rsvpId: id } : { standingId }
  return { linkMailed: false, linkSecret: await makeLink(tx, target, call, { hidesPrayer: true }) }
}
