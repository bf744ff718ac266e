import { and, eq, inArray, isNull, or } from 'drizzle-orm'
import { MERGED_LINK, queueMail } from '#db/mail/queue.ts'
import { isStopped } from '#db/mail/stops.ts'
import type { Call } from '#db/operation.ts'
import { prayers } from '#db/prayer/table.ts'
import { readRsvp } from '#db/rsvp/list.ts'
import { readStored } from '#db/rsvp/read.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { isLive, oneOf } from '#db/rsvp/search.ts'
import { factsOf, proposeMerge, revisionOf, type SameSender } from '#db/rsvp/stored.ts'
import { rsvps } from '#db/rsvp/table.ts'
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

/** Of several households of one person the one that stays, the others, and what they have said together. */
export type Joined = { household: number; others: number[]; said: StoredRsvp }

/**
 * After a merge, links of an RSVP live on, and open the one that was kept, if it said all that this one says now. All
 * others end, with those of its household that comes every week. The same holds when one of the links changes it. Of
 * several households one stays: the newest that said all of it, or else the newest; see `joinHouseholds`.
 * @param before the merged RSVPs as they were, first the one that was kept; after a change that one alone.
 * @param changing the RSVPs of the link that has changed it.
 * @returns a secret only if no link to all of it lives on.
 */
export async function endLinksAfterMerge(
  tx: Transaction,
  before: SameSender,
  call: Call,
  changing: number[] = [],
): Promise<NewLink & { joined?: Joined }> {
  const kept = await readRsvp(before[0].id)
  const sources = await readSources(tx, before)
  const weekly = sources.filter(({ household }) => household !== null)
  const prayer = sources.find((own) => own.prayer !== null)?.prayer
  const facts = factsOf({ ...kept, prayer })
  const [first, ...more] = weekly
  const said = first && new Set(weekly.map((own) => own.household)).size > 1 && proposeMerge([first, ...more])
  if (said) facts.push(...factsOf(said))
  const saidAll = sources.filter((own) => changing.includes(own.id) || new Set(facts).isSubsetOf(new Set(factsOf(own))))
  const stays = weekly.find((own) => saidAll.includes(own)) ?? first
  const household = stays?.household ?? null
  const others = weekly.flatMap((own) => (own.household === household ? [] : (own.household ?? [])))
  const living = saidAll.filter((own) => own.household === null || own.household === household)
  for (const own of sources.filter(({ id }) => id !== kept.id)) {
    const linksOpen = own === stays || living.includes(own) ? kept.id : null
    await tx.update(rsvps).set({ linksOpen }).where(eq(rsvps.id, own.id))
  }
  const { addressChanged, language = null } = sources[0] ?? {}
  if (addressChanged && stays) await markAddressChanged(tx, stays.id)
  const ending = sources.filter((own) => !living.includes(own))
  await endLinks(tx, ending, call)
  const isLast = !living.some((own) => own.household === household && hasLink(own))
  const link = ending.some(hasLink) && (await replaceLink(tx, { ...kept, language }, household, isLast, call))
  return { linkMailed: false, ...link, ...(household && said && { joined: { household, others, said } }) }
}

type Source = Awaited<ReturnType<typeof readSources>>[number]

/** The merged RSVPs, and those that earlier merges have brought here. */
async function readSources(tx: Transaction, before: SameSender) {
  const all = [...before, ...(await readStored(inArray(rsvps.linksOpen, idsOf(before))))]
  const { id, linkHash, language, addressChanged } = rsvps
  const isAlive = and(eq(standingRsvps.id, rsvps.standingId), isNull(standingRsvps.endedAt))
  const rows = await tx
    .select({ id, linkHash, language, addressChanged, household: standingRsvps.id, prayer: prayers.text })
    .from(rsvps)
    .leftJoin(standingRsvps, isAlive)
    .leftJoin(prayers, eq(prayers.rsvpId, id))
    .where(oneOf(idsOf(all)))
  return all.flatMap((own) => rows.filter((row) => row.id === own.id).map((row) => ({ ...own, ...row })))
}

function hasLink({ linkHash, household }: Source): boolean {
  return linkHash !== null || household !== null
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
 * Ends the links of some RSVPs and of their households. Those of one that a merge has deleted open nothing, and its own
 * RSVP again once it is restored.
 */
async function endLinks(tx: Transaction, sources: Source[], { now }: Call): Promise<void> {
  const { id, linkHash, standingId } = rsvps
  const households = sources.flatMap(({ household }) => household ?? [])
  const ending = await tx
    .select({ id, linkHash })
    .from(rsvps)
    .where(or(inArray(standingId, households), and(oneOf(idsOf(sources)), isLive)))
  const isEnding = or(inArray(privateLinks.rsvpId, idsOf(ending)), inArray(privateLinks.standingId, households))
  await tx.delete(privateLinks).where(and(isEnding, eq(privateLinks.purpose, 'calendar')))
  await tx.update(privateLinks).set({ purpose: 'ended' }).where(isEnding)
  const ended = { purpose: 'ended' as const, createdAt: now.toISOString() }
  const own = ending.flatMap((rsvp) => (rsvp.linkHash ? [{ ...ended, hash: rsvp.linkHash, rsvpId: rsvp.id }] : []))
  if (own.length > 0) await tx.insert(privateLinks).values(own).onConflictDoNothing()
}

/**
 * The new link is that of the household that comes every week, if there is one. None once it would only say that the
 * service is over.
 * @param isLast whether no other link lives on.
 */
async function replaceLink(
  tx: Transaction,
  kept: StoredRsvp & Pick<Source, 'language'>,
  standingId: number | null,
  isLast: boolean,
  call: Call,
): Promise<Partial<NewLink>> {
  const { id, email, serviceDate, language } = kept
  const now = call.now.toISOString()
  const isAhead = serviceOn(await readSchedule(), serviceDate).endsAt > now
  if (standingId === null && !isAhead) return {}
  if (call.sendsMail === true && email !== '' && !(await isStopped(email, await readKeyedHash()))) {
    const times = { dueAt: now, endsAt: daysBefore(call.now, -1) }
    const key = `${MERGED_LINK} ${id} ${revisionOf(kept)}`
    await queueMail(tx, [{ key, kind: 'link', address: email, language, ...times }], call.now)
    return { linkMailed: true }
  }
  if (!isLast) return {}
  const target = standingId === null ? { rsvpId: id } : { standingId }
  return { linkSecret: await makeLink(tx, target, call, { hidesPrayer: true }) }
}

function idsOf(some: { id: number }[]): number[] {
  return some.map(({ id }) => id)
}
