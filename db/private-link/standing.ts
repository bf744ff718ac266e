import { and, eq } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { fieldError, type UserError } from '#db/errors.ts'
import { type Call, operation } from '#db/operation.ts'
import { hashOfLinkSecret } from '#db/rsvp/link-secret.ts'
import { momentOfChange } from '#db/rsvp/moments.ts'
import { findFilledRoles, leaveFilledRoles } from '#db/rsvp/roles.ts'
import { enteredFields, type Rsvp, type StoredRsvp } from '#db/rsvp/schema.ts'
import { sentAs } from '#db/rsvp/stored.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { replaceRsvp } from '#db/rsvp/write.ts'
import { type KeyedHash, readKeyedHash } from '#db/secret/keyed-hash.ts'
import { QUIET_DAYS } from '#db/standing/schema.ts'
import { startStanding } from '#db/standing/start.ts'
import { standingRsvps } from '#db/standing/table.ts'
import { db, type Transaction } from '#db/storage/client.ts'
import { daysBefore } from '#db/values/time-zone.ts'
import { changeLinked, type Household } from './linked.ts'
import { storeLink } from './links.ts'
import { linkRequest, type OwnStanding } from './schema.ts'
import { privateLinks } from './table.ts'
import { type Standing, shownWeek, toRsvp, type Week } from './weeks.ts'

/** What a household has said for every week, as its link shows it. */
export async function shownStanding({ standing, weeks }: Household, linkSecret: string): Promise<OwnStanding> {
  const { id, since, seenAt } = standing
  const token = feedToken(standing, linkSecret, await readKeyedHash())
  const feeds = await db.select({ hash: privateLinks.hash }).from(privateLinks).where(isFeedOf(id))
  const isOn = feeds.some(({ hash }) => hash === hashOfLinkSecret(token))
  return {
    since,
    endsAt: daysBefore(seenAt, -QUIET_DAYS),
    weeks: weeks.map(shownWeek),
    calendar: isOn ? `/calendar/own/${token}.ics` : null,
    hasCalendar: feeds.length > 0,
  }
}

/** Stores that the household still comes, so that its standing RSVP does not end. */
export const keepOwnStanding = operation(linkRequest, (link, call) => changeHousehold(link, call, async () => {}))

/** Switches on the calendar of the household that belongs to this link. */
export const startOwnCalendar = operation(linkRequest, (link, call) =>
  changeHousehold(link, call, async (tx, { standing }) => {
    const hash = hashOfLinkSecret(feedToken(standing, link.linkSecret ?? '', await readKeyedHash()))
    const feed = { hash, purpose: 'calendar' as const, standingId: standing.id, createdAt: call.now.toISOString() }
    await tx.insert(privateLinks).values(feed).onConflictDoNothing()
  }),
)

/** Revokes every calendar of the household: those addresses never work again. */
export const revokeOwnCalendar = operation(linkRequest, (link, call) =>
  changeHousehold(link, call, async (tx, { standing: { id, feedRevision } }) => {
    const revoked = await tx.delete(privateLinks).where(isFeedOf(id)).returning({ hash: privateLinks.hash })
    if (revoked.length === 0) return
    await tx
      .update(standingRsvps)
      .set({ feedRevision: feedRevision + 1 })
      .where(eq(standingRsvps.id, id))
  }),
)

/** @throws UserError as `changeLinked` does, 'invalid' for the link of a single RSVP. */
function changeHousehold(
  { linkSecret }: z.output<typeof linkRequest>,
  call: Call,
  change: (tx: Transaction, household: Household) => Promise<void>,
): Promise<void> {
  return changeLinked({ linkSecret }, call, async (tx, { household }) => {
    if (household === undefined) throw notEveryWeek()
    await markSeen(tx, household.standing, call)
    await change(tx, household)
  })
}

export function notEveryWeek(): UserError {
  return fieldError('everyWeek', 'This RSVP is for one service, not for every week.')
}

/** The household has said something. No two signs have the same moment, because they are revisions as well. */
export async function markSeen(tx: Transaction, { id, seenAt }: Standing, { now }: Call): Promise<void> {
  const seen = new Date(Math.max(now.getTime(), Date.parse(seenAt) + 1)).toISOString()
  await tx.update(standingRsvps).set({ seenAt: seen, askedAt: null }).where(eq(standingRsvps.id, id))
}

/** Begins "every week" with what an RSVP says; its links are then those of the household. */
export async function beginStanding(tx: Transaction, stored: StoredRsvp, sent: Rsvp, call: Call): Promise<void> {
  const { suspicion, serviceDate } = stored
  const standingId = await startStanding(tx, { ...sent, suspicion, serviceDate, language: call.language }, call)
  const [begun] = await tx
    .update(rsvps)
    .set({ standingId, changedAt: momentOfChange(call.now) })
    .where(eq(rsvps.id, stored.id))
    .returning({ linkHash: rsvps.linkHash })
  await tx.update(privateLinks).set({ rsvpId: null, standingId }).where(eq(privateLinks.rsvpId, stored.id))
  if (begun?.linkHash) await storeLink(tx, begun.linkHash, { standingId }, call)
}

/** What is the same in each week. */
const templateFields = ['name', 'email', 'phone', 'remind', 'familyMembers', 'volunteerRoles'] as const
type Template = Pick<Rsvp, (typeof templateFields)[number]>

/**
 * The standing RSVP after one of its weeks was changed for every week. Roles that are full that week are not in it, and
 * stay.
 * @param named has the fields that were sent.
 */
export function changedStanding(standing: Standing, before: Template, changed: Template, named: object): Standing {
  const isKept = (id: number) => changed.volunteerRoles.includes(id) || !before.volunteerRoles.includes(id)
  const kept = standing.volunteerRoles.filter(isKept)
  const volunteerRoles = Array.from(new Set([...kept, ...changed.volunteerRoles]))
  const said = { ...changed, volunteerRoles, phone: changed.phone ?? null, remind: changed.remind ?? false }
  const sent = templateFields.filter((name) => Object.hasOwn(named, name))
  return { ...standing, ...Object.fromEntries(sent.map((name) => [name, said[name]])) }
}

/**
 * Changes every week, but leaves alone what was said for single weeks.
 * @param household as it was; its `week` is left to the caller.
 */
export async function changeEveryWeek(
  tx: Transaction,
  { standing: before, weeks, week: except }: Household,
  { name, email, phone, remind, familyMembers, volunteerRoles }: Standing,
  call: Call,
): Promise<void> {
  const template = { name, email, remind, familyMembers }
  const changed = { ...template, phone, volunteerRoles }
  await tx.update(standingRsvps).set(changed).where(eq(standingRsvps.id, before.id))
  for (const week of weeks) {
    if (week === except || !week.isWritten || !isAsWritten(week, before)) continue
    const { stored } = week
    const sent = enteredFields.parse(sentAs(stored))
    const kept = sent.volunteerRoles.filter((role) => volunteerRoles.includes(role))
    const added = volunteerRoles.filter((role) => !before.volunteerRoles.includes(role) && !kept.includes(role))
    for (const role of added) if ((await findFilledRoles([role], stored)).length === 0) kept.push(role)
    const { serviceDate } = stored
    const row = { ...sent, ...template, phone: phone ?? undefined, volunteerRoles: kept, serviceDate }
    await replaceRsvp(tx, stored.id, row, call)
    await leaveFilledRoles(tx, stored, call)
  }
}

/** Whether a week's RSVP still says what the standing RSVP says; a role may have been full. */
function isAsWritten({ stored }: Week, standing: Standing): boolean {
  if (stored.deletedAt !== null || !stored.attending) return false
  const { volunteerRoles, ...sent } = sentAs(stored)
  const { volunteerRoles: _, ...wished } = sentAs(toRsvp(standing, stored.serviceDate, []))
  const textOf = ({ name, email, phone, remind, familyMembers }: typeof sent) =>
    JSON.stringify([name, email, phone, remind, familyMembers])
  return textOf(sent) === textOf(wished) && volunteerRoles.every((role) => standing.volunteerRoles.includes(role))
}

function isFeedOf(id: number) {
  return and(eq(privateLinks.standingId, id), eq(privateLinks.purpose, 'calendar'))
}

/** A further secret that only opens the calendar, and cannot be computed without the link. */
function feedToken({ feedRevision }: Standing, linkSecret: string, hash: KeyedHash): string {
  return hash('feed', `${feedRevision} ${linkSecret}`)
}
