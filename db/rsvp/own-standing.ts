import { isDeepStrictEqual } from 'node:util'
import { and, eq, gte, max, ne } from 'drizzle-orm'
import * as z from 'zod/mini'
import { type Call, parseInput } from '#db/call.ts'
import { getFeatures } from '#db/features.ts'
import { readKeyedHash } from '#db/keyed-hash.ts'
import { db, type Transaction } from '#db/storage/client.ts'
import { privateLinks, rsvps, type Standing, standingRsvps } from '#db/tables/rsvp.ts'
import { UserError } from '#db/values/errors.ts'
import { linkRequest, type OwnStanding } from '#db/values/private-link.ts'
import { enteredRsvp, type Rsvp, type StoredRsvp } from '#db/values/rsvp.ts'
import type { Schedule } from '#db/values/schedule.ts'
import { servicesAhead } from '#db/values/services.ts'
import { type EveryWeek, everyWeekFields, QUIET_DAYS } from '#db/values/standing.ts'
import { sentAs } from '#db/values/stored-rsvp.ts'
import { daysBefore } from '#db/values/time-zone.ts'
import { isSame } from './duplicates.ts'
import { changeLinked, type Household, householdOf, peopleOf, readWeeks, shownWeek } from './open-link.ts'
import { hashOfLinkSecret, markAddressChanged, storeLink } from './private-links.ts'
import { hasEmail, isLive, readStored } from './read.ts'
import { findFilledRoles } from './roles.ts'
import { markSeen } from './standing.ts'
import { momentOfChange, replaceRsvp } from './write.ts'
import { everyWeekOf, startStanding, writeAhead } from './write-weeks.ts'

/** The standing RSVP of a household, as its link shows it. */
export async function shownStanding({ standing, weeks }: Household, linkSecret: string): Promise<OwnStanding> {
  const { id, since, seenAt, endedAt } = standing
  const isCounted = and(eq(rsvps.standingId, id), isLive, rsvps.attending)
  const day = max(rsvps.serviceDate)
  const [last] = await db.select({ day }).from(rsvps).where(isCounted)
  const token = await feedToken(standing, linkSecret)
  const feeds = await db.select({ hash: privateLinks.hash }).from(privateLinks).where(isFeedOf(id))
  const isOn = feeds.some(({ hash }) => hash === hashOfLinkSecret(token))
  return {
    since,
    endsAt: daysBefore(seenAt, -QUIET_DAYS),
    countedUntil: endedAt === null ? undefined : (last?.day ?? null),
    weeks: weeks.map(shownWeek),
    calendar: isOn ? `/calendar/own/${token}.ics` : null,
    hasCalendar: feeds.length > 0,
  }
}

/** Stores that the household still comes, so that its standing RSVP does not end. */
export async function keepOwnStanding(input: unknown, call: Call) {
  return changeHousehold(input, call, async () => {})
}

/** Switches on the calendar of the household that belongs to this link. */
export async function startOwnCalendar(input: unknown, call: Call) {
  return changeHousehold(input, call, async (tx, standing, linkSecret) => {
    const hash = hashOfLinkSecret(await feedToken(standing, linkSecret))
    const feed = { hash, purpose: 'calendar' as const, standingId: standing.id, createdAt: call.now.toISOString() }
    await tx.insert(privateLinks).values(feed).onConflictDoNothing()
  })
}

/** Revokes every calendar of the household: those addresses never work again. */
export async function revokeOwnCalendar(input: unknown, call: Call) {
  return changeHousehold(input, call, async (tx, { id, feedRevision }) => {
    await tx.delete(privateLinks).where(isFeedOf(id))
    const next = { feedRevision: feedRevision + 1 }
    await tx.update(standingRsvps).set(next).where(eq(standingRsvps.id, id))
  })
}

const getOwnCalendarInput = z.object({ token: z.string() })

/**
 * The calendar of a household that comes every week: the services in which it comes and that are not over, and the
 * language in which it reads the site. After the end it is empty, because programs keep what they have while an address
 * fails, and remove what is gone from a calendar.
 * @param readSeries the calendar of the church, with the revision and the schedule that belong together.
 * @throws UserError 'not-found' for a wrong or revoked token, and what `readSeries` throws.
 */
export async function getOwnCalendar<Series extends { revision: number; schedule: Schedule }>(
  input: unknown,
  call: Call,
  readSeries: () => Promise<Series>,
) {
  const { token } = parseInput(getOwnCalendarInput, input)
  const [found] = await db
    .select({ standing: standingRsvps })
    .from(privateLinks)
    .innerJoin(standingRsvps, eq(standingRsvps.id, privateLinks.standingId))
    .where(and(eq(privateLinks.hash, hashOfLinkSecret(token)), eq(privateLinks.purpose, 'calendar')))
  if (found === undefined)
    throw new UserError('not-found', 'There is no such calendar. Open your private link to make a new address for it.')
  const { id, since, endedAt, seenAt, language } = found.standing
  const series = await readSeries()
  const services = endedAt ? [] : servicesAhead(series.schedule, call.now).filter(({ date }) => date >= since)
  const dates = services.map(({ date }) => date)
  const weeks = await readWeeks(found.standing, dates)
  const shown = weeks.map((week) => ({ ...shownWeek(week), names: peopleOf(week).map(({ name }) => name) }))
  const changes = [endedAt ?? seenAt, ...weeks.flatMap(({ stored }) => stored.changedAt ?? [])]
  const revision = Math.max(series.revision, ...changes.map((moment) => Math.floor(Date.parse(moment) / 1000)))
  const hash = await readKeyedHash()
  return {
    series: { ...series, id: hash('calendar', `household ${id}`), revision },
    weeks: shown.filter(({ people }) => people > 0),
    language,
  }
}

/** Changes what belongs to a household, and stores that it was heard from. @throws UserError as `householdOf` does. */
function changeHousehold(
  input: unknown,
  call: Call,
  change: (tx: Transaction, standing: Standing, linkSecret: string) => Promise<void>,
): Promise<void> {
  const { linkSecret = '' } = parseInput(linkRequest, input)
  return changeLinked({ linkSecret }, call, async (tx, found) => {
    const { standing } = householdOf(found)
    await markSeen(tx, standing, call)
    await change(tx, standing, linkSecret)
  })
}

/** Begins "every week" with what an RSVP says; its links are then those of the household. */
export async function beginStanding(tx: Transaction, stored: StoredRsvp, sent: Rsvp, call: Call): Promise<void> {
  const { suspicion, serviceDate } = stored
  const standingId = await startStanding(tx, { ...sent, suspicion, serviceDate, language: call.language }, call)
  const [begun] = await tx
    .update(rsvps)
    .set({ standingId, changedAt: momentOfChange(call.now) })
    .where(eq(rsvps.id, stored.id))
    .returning({ linkHash: rsvps.linkHash, addressChanged: rsvps.addressChanged })
  await tx.update(privateLinks).set({ rsvpId: null, standingId }).where(eq(privateLinks.rsvpId, stored.id))
  if (begun?.linkHash) await storeLink(tx, begun.linkHash, { standingId }, call)
  if (begun?.addressChanged) await markAddressChanged(tx, stored.id)
  await writeAhead(tx, standingId, call)
}

/**
 * The standing RSVP after a week was changed for every week. Roles that the week did not have stay: they may be full.
 * @param sent has the fields that were sent.
 */
export function changedStanding(standing: Standing, before: EveryWeek, changed: EveryWeek, sent: object): Standing {
  const isKept = (id: number) => changed.volunteerRoles.includes(id) || !before.volunteerRoles.includes(id)
  const kept = standing.volunteerRoles.filter(isKept)
  const volunteerRoles = Array.from(new Set([...kept, ...changed.volunteerRoles]))
  const stored = { ...changed, volunteerRoles, phone: changed.phone ?? null, remind: changed.remind ?? false }
  const names = everyWeekFields.filter((name) => Object.hasOwn(sent, name))
  return { ...standing, ...Object.fromEntries(names.map((name) => [name, stored[name]])) }
}

/**
 * Changes every week from the next service on, also skipped ones, but not the weeks that were changed on their own.
 * @param household as it was; its `week` is left to the caller.
 */
export async function changeEveryWeek(
  tx: Transaction,
  household: Household,
  after: Standing,
  call: Call,
): Promise<void> {
  const { standing: before, week: except, nextDay } = household
  const { id, addressChanged } = after
  const template = everyWeekOf(after)
  const change = { ...template, phone: after.phone, addressChanged }
  await tx.update(standingRsvps).set(change).where(eq(standingRsvps.id, id))
  const { familyRsvp } = await getFeatures()
  const added = after.volunteerRoles.filter((role) => !before.volunteerRoles.includes(role))
  const ahead = await readStored(and(eq(rsvps.standingId, id), gte(rsvps.serviceDate, nextDay), isLive))
  for (const stored of ahead) {
    if (stored.id === except.stored.id || !isAsWritten(stored, before, familyRsvp)) continue
    const { serviceDate, changedAt } = stored
    const sent = enteredRsvp.parse(sentAs(stored))
    const filled = await findFilledRoles(added, stored)
    const wanted = after.volunteerRoles.filter((role) => sent.volunteerRoles.includes(role) || added.includes(role))
    // What was sent for this week alone counts instead, also once it is restored.
    const isOnItsDay = and(eq(rsvps.serviceDate, serviceDate), ne(rsvps.id, stored.id), hasEmail(stored.email))
    const others = (await readStored(isOnItsDay)).filter((other) => isSame(other, stored))
    const isOther = others.some(({ deletedAt }) => deletedAt === null)
    const changed = {
      ...sent,
      ...template,
      familyMembers: familyRsvp ? after.familyMembers : sent.familyMembers,
      volunteerRoles: wanted.filter((role) => filled.every((each) => each.id !== role)),
      serviceDate,
      ...(others.length > 0 && { changedAt }),
      ...(isOther && { name: stored.name, email: stored.email }),
    }
    await replaceRsvp(tx, stored, changed, call)
  }
}

/** Whether an RSVP still says what the standing RSVP says; a role may have been full, or family members off. */
function isAsWritten(stored: StoredRsvp, standing: Standing, familyRsvp: boolean): boolean {
  const membersOf = ({ familyMembers }: StoredRsvp | Standing) =>
    familyMembers.map(({ name, age, attending }) => [name, age ?? null, attending])
  return (
    stored.attending &&
    everyWeekFields.every((name) => {
      if (name === 'volunteerRoles')
        return stored.volunteerSignups.every(({ role }) => standing.volunteerRoles.includes(role.id))
      if (name === 'familyMembers') return !familyRsvp || isDeepStrictEqual(membersOf(stored), membersOf(standing))
      return stored[name] === standing[name]
    })
  )
}

function isFeedOf(id: number) {
  return and(eq(privateLinks.standingId, id), eq(privateLinks.purpose, 'calendar'))
}

/** A further secret that only opens the calendar, and cannot be computed without the link. */
async function feedToken({ feedRevision }: Standing, linkSecret: string): Promise<string> {
  const hash = await readKeyedHash()
  return hash('feed', `${feedRevision} ${linkSecret}`)
}
