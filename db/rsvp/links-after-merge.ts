import { isDeepStrictEqual } from 'node:util'
import { and, eq, inArray, isNull, lt, or } from 'drizzle-orm'
import type { Call } from '#db/call.ts'
import { readKeyedHash } from '#db/keyed-hash.ts'
import { MERGED_LINK, queueMail } from '#db/mail/queue.ts'
import { isStopped } from '#db/mail/stops.ts'
import { readSchedule } from '#db/schedule.ts'
import type { Transaction } from '#db/storage/client.ts'
import { privateLinks, rsvps, standingRsvps } from '#db/tables/rsvp.ts'
import type { StoredRsvp } from '#db/values/rsvp.ts'
import { serviceOn } from '#db/values/services.ts'
import { revisionOf, type SameSender } from '#db/values/stored-rsvp.ts'
import { daysBefore } from '#db/values/time-zone.ts'
import { readRsvp } from './list.ts'
import { makeLink, markAddressChanged } from './private-links.ts'
import { oneOf } from './read.ts'
import { endStandingsIn } from './standing.ts'

// No link ever shows or changes what was not in the RSVP that it came with: whoever knows a name and an address can send
// an RSVP in that name, and a clerk who merges it cannot see who has sent which.

/** What replaces the links that ended: a message to the address, or a secret for the clerk to hand over. */
export type NewLink = { linkMailed: boolean; linkSecret?: string }

/**
 * After a merge, the links of the RSVP that was kept live on if the merge has added nothing to it. Else they are forgotten,
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
  const isAllOwn = isDeepStrictEqual({ ...kept, changedAt: null }, { ...before[0], changedAt: null })
  const [stays, ...ending] = new Set(sources.flatMap(({ household }) => household ?? []))
  // A household that has ended "every week" could take that back by its links.
  const ended = sources.filter((source) => source.household === null && !(isAllOwn && source === own))
  const over = [...ending, ...ended.flatMap(({ standingId }) => standingId ?? [])]
  if (isAllOwn) await forgetLinks(tx, [], over)
  else await forgetLinks(tx, [own.id], own.household === null ? over : [own.household, ...over])
  const since = sources.find(({ household }) => household === stays)?.since
  await endHouseholds(tx, ending, since ?? '', call)
  if (!sources.some(hasLink) || (isAllOwn && hasLink(own))) return { linkMailed: false }
  return replaceLink(tx, { ...kept, language: own.language }, own.household, call)
}

type Source = Awaited<ReturnType<typeof readSources>>[number]

/** What links need of the merged RSVPs, in their order; `household` is the one that comes every week. */
async function readSources(tx: Transaction, before: SameSender) {
  const { id, linkHash, language, addressChanged, standingId } = rsvps
  const household = { household: standingRsvps.id, since: standingRsvps.since }
  const isAlive = and(eq(standingRsvps.id, rsvps.standingId), isNull(standingRsvps.endedAt))
  const rows = await tx
    .select({ id, linkHash, language, addressChanged, standingId, ...household })
    .from(rsvps)
    .leftJoin(standingRsvps, isAlive)
    .where(oneOf(before.map((own) => own.id)))
  return before.flatMap((own) => rows.filter((row) => row.id === own.id))
}

function hasLink({ linkHash, household }: Source): boolean {
  return linkHash !== null || household !== null
}

/** Their RSVPs for weeks before the first of the household that stays are kept. */
async function endHouseholds(tx: Transaction, ending: number[], since: string, call: Call): Promise<void> {
  const isBefore = and(inArray(rsvps.standingId, ending), lt(rsvps.serviceDate, since))
  await tx.update(rsvps).set({ standingId: null }).where(isBefore)
  await endStandingsIn(tx, ending, call)
}

/** Forgets all links of RSVPs and of households, with their calendars. */
async function forgetLinks(tx: Transaction, ids: number[], households: number[]): Promise<void> {
  const isTheirs = or(oneOf(ids), inArray(rsvps.standingId, households))
  const found = await tx.update(rsvps).set({ linkHash: null }).where(isTheirs).returning({ id: rsvps.id })
  const rsvpIds = found.map(({ id }) => id)
  const isForgotten = or(inArray(privateLinks.rsvpId, rsvpIds), inArray(privateLinks.standingId, households))
  await tx.delete(privateLinks).where(isForgotten)
}

/** Makes a link in place of those that ended, unless it would only say that the service is over. */
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
