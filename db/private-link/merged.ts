import { and, eq, inArray, isNull, or } from 'drizzle-orm'
import { MERGED_LINK, queueMail } from '#db/mail/queue.ts'
import { isStopped } from '#db/mail/stops.ts'
import type { Call } from '#db/operation.ts'
import { prayers } from '#db/prayer/table.ts'
import { readRsvp } from '#db/rsvp/list.ts'
import { readStored } from '#db/rsvp/read.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { isLive, oneOf } from '#db/rsvp/search.ts'
import { revisionOf, saysAllOf } from '#db/rsvp/stored.ts'
import { rsvps, UNSTAMPED } from '#db/rsvp/table.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import { serviceOn } from '#db/schedule/services.ts'
import { readKeyedHash } from '#db/secret/keyed-hash.ts'
import { standingRsvps } from '#db/standing/table.ts'
import type { Transaction } from '#db/storage/client.ts'
import { daysBefore } from '#db/values/time-zone.ts'
import type { Linked } from './linked.ts'
import { makeLink, markAddressChanged } from './links.ts'
import { privateLinks } from './table.ts'

// No link ever shows or changes what was not in the RSVP that it came with: whoever knows a name and an address can send
// an RSVP in that name, and a clerk who merges it cannot see who has sent which.

/** What replaces the links that ended: a message to the address, or a secret for the clerk to hand over. */
export type NewLink = { linkMailed: boolean; linkSecret?: string }

/**
 * After a merge, links of an RSVP live on, and open the one that was kept, if it said all that this one says now. All
 * others end, with those of its household that comes every week. The same holds when one of the links changes it.
 * @param before the merged RSVPs as they were, first the one that was kept; after a change that one alone.
 * @param changing the RSVPs of the link that has changed it.
 */
export async function endLinksAfterMerge(
  tx: Transaction,
  before: [kept: StoredRsvp, ...earlier: StoredRsvp[]],
  call: Call,
  changing: number[] = [],
): Promise<NewLink> {
  const kept = await readRsvp(before[0].id)
  const ids = before.map(({ id }) => id)
  // Also of those that earlier merges have brought here.
  const sources = [...before, ...(await readStored(inArray(rsvps.linksOpen, ids)))]
  const prayed = await tx
    .select()
    .from(prayers)
    .where(inArray(prayers.rsvpId, idsOf(sources)))
  const prayerOf = (id: number) => prayed.find(({ rsvpId }) => rsvpId === id)?.text
  const prayer = prayerOf(kept.id)
  const isWhole = (own: StoredRsvp) =>
    changing.includes(own.id) || (saysAllOf(own, kept) && (prayer === undefined || prayerOf(own.id) === prayer))
  for (const own of sources.filter(({ id }) => id !== kept.id)) {
    const linksOpen = isWhole(own) ? kept.id : null
    await tx.update(rsvps).set({ linksOpen }).where(eq(rsvps.id, own.id))
  }
  const hasEnded = await endLinks(tx, idsOf(sources.filter((own) => !isWhole(own))), call)
  return hasEnded ? replaceLink(tx, kept, ids, call) : { linkMailed: false }
}

/** Ends the other links that open an RSVP, once a link has added to it what was not in their own. */
export async function endLinksAfterChange(
  tx: Transaction,
  { stored, rsvpId, household }: Pick<Linked, 'stored' | 'rsvpId' | 'household'>,
  call: Call,
): Promise<void> {
  if ((await tx.$count(rsvps, eq(rsvps.linksOpen, stored.id))) === 0) return
  const isChanging = household ? eq(rsvps.standingId, household.standing.id) : eq(rsvps.id, rsvpId)
  const changing = await tx.select({ id: rsvps.id }).from(rsvps).where(isChanging)
  await endLinksAfterMerge(tx, [stored], call, idsOf(changing))
}

/**
 * Ends the links of some RSVPs and of their households; returns whether there were any. Those of one that a merge has
 * deleted open nothing, and its own RSVP again once it is restored.
 */
async function endLinks(tx: Transaction, ids: number[], { now }: Call): Promise<boolean> {
  const { id, linkHash, standingId } = rsvps
  const some = await tx
    .select({ linkHash, household: standingRsvps.id })
    .from(rsvps)
    .leftJoin(standingRsvps, eq(standingRsvps.id, standingId))
    .where(oneOf(ids))
  const households = some.flatMap(({ household }) => household ?? [])
  const ending = await tx
    .select({ id, linkHash })
    .from(rsvps)
    .where(or(inArray(standingId, households), and(oneOf(ids), isLive)))
  const isEnding = or(inArray(privateLinks.rsvpId, idsOf(ending)), inArray(privateLinks.standingId, households))
  const mailed = await tx.$count(privateLinks, or(isEnding, inArray(privateLinks.rsvpId, ids)))
  await tx.delete(privateLinks).where(and(isEnding, eq(privateLinks.purpose, 'calendar')))
  await tx.update(privateLinks).set({ purpose: 'ended' }).where(isEnding)
  const ended = { purpose: 'ended' as const, createdAt: now.toISOString() }
  const own = ending.flatMap((rsvp) => (rsvp.linkHash ? [{ ...ended, hash: rsvp.linkHash, rsvpId: rsvp.id }] : []))
  if (own.length > 0) await tx.insert(privateLinks).values(own).onConflictDoNothing()
  return mailed > 0 || some.some((rsvp) => rsvp.linkHash !== null)
}

/**
 * The new link is that of a household that comes every week, if one of the merged is; it opens the RSVP that was kept.
 * None once a link would only say that the service is over.
 */
async function replaceLink(tx: Transaction, kept: StoredRsvp, ids: number[], call: Call): Promise<NewLink> {
  const { id, email, serviceDate } = kept
  const now = call.now.toISOString()
  const { language, addressChanged } = rsvps
  const rows = await tx
    .select({ id: rsvps.id, language, addressChanged, standingId: standingRsvps.id })
    .from(rsvps)
    .leftJoin(standingRsvps, and(eq(standingRsvps.id, rsvps.standingId), isNull(standingRsvps.endedAt)))
    .where(oneOf(ids))
  const own = rows.find((row) => row.id === id)
  const week = own?.standingId ? own : rows.find((row) => row.standingId !== null)
  const standingId = week?.standingId ?? null
  if (week !== undefined && week !== own) {
    await tx.update(rsvps).set({ linksOpen: id }).where(eq(rsvps.id, week.id))
    if (own?.addressChanged) await markAddressChanged(tx, week.id)
  }
  const isAhead = serviceDate !== UNSTAMPED && serviceOn(await readSchedule(), serviceDate).endsAt > now
  if (standingId === null && !isAhead) return { linkMailed: false }
  if (call.sendsMail === true && email !== '' && !(await isStopped(email, await readKeyedHash()))) {
    const times = { dueAt: now, endsAt: daysBefore(call.now, -1) }
    const key = `${MERGED_LINK} ${id} ${revisionOf(kept)}`
    await queueMail(tx, [{ key, kind: 'link', address: email, language: own?.language ?? null, ...times }], call.now)
    return { linkMailed: true }
  }
  const target = standingId === null ? { rsvpId: id } : { standingId }
  return { linkMailed: false, linkSecret: await makeLink(tx, target, call, { hidesPrayer: true }) }
}

function idsOf(some: { id: number }[]): number[] {
  return some.map(({ id }) => id)
}
