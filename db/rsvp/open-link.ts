import { and, eq, inArray } from 'drizzle-orm'
import type { Call } from '#db/call.ts'
import { readSchedule } from '#db/schedule.ts'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { privateLinks, rsvps, type Standing, standingRsvps } from '#db/tables/rsvp.ts'
import { UserError } from '#db/values/errors.ts'
import type { OwnWeek } from '#db/values/private-link.ts'
import type { StoredRsvp } from '#db/values/rsvp.ts'
import { nextService, serviceOn, servicesAhead } from '#db/values/services.ts'
import { deletionOf, newestFirst } from '#db/values/stored-rsvp.ts'
import { daysBefore } from '#db/values/time-zone.ts'
import { isSame } from './duplicates.ts'
import { hashOfLinkSecret } from './private-links.ts'
import { hasEmail, isLive, readStored } from './read.ts'
import { refuseTooMany } from './request.ts'
import { countEndedDays } from './standing.ts'
import { serviceNotOffered } from './submit.ts'

/** A service of a household that comes every week. */
export type Week = Pick<OwnWeek, 'decidedBy'> & { stored: StoredRsvp }

/**
 * A household that comes every week, and the week that is read or changed. `nextDay` is that of the first service that
 * is not closed: a change for every week begins with it.
 */
export type Household = { standing: Standing; weeks: Week[]; week: Week; nextDay: string }

/** What a private link opens. Without a `household` it is the RSVP of a single service. */
export type Linked = {
  /** Not deleted, unless its sender has withdrawn it. */
  stored: StoredRsvp
  endsAt: string
  household?: Household
  /** Whether the link neither shows nor changes the prayer request. */
  hidesPrayer: boolean
}

type Link = { linkSecret?: string | undefined; week?: string | undefined }

type Opened = Omit<Linked, 'hidesPrayer'>

/**
 * Changes what a private link opens, in one transaction, which reads it again.
 * @throws UserError as `getOwnRsvp` does, and 'too-many' if the caller's network has used up its allowance.
 */
export async function changeLinked(
  link: Link,
  call: Call,
  change: (tx: Transaction, found: Linked) => Promise<void>,
): Promise<void> {
  await findLinked(link, call)
  await refuseTooMany(call)
  await transaction(async (tx) => change(tx, await findLinked(link, call)), { repeatable: true })
}

/** @throws UserError as `getOwnRsvp` does. */
export async function findLinked({ linkSecret = '', week }: Link, call: Call): Promise<Linked> {
  const hash = hashOfLinkSecret(linkSecret)
  const [link] = await db
    .select()
    .from(privateLinks)
    .where(and(eq(privateLinks.hash, hash), eq(privateLinks.purpose, 'change')))
  const isLinked = link?.rsvpId ? eq(rsvps.id, link.rsvpId) : eq(rsvps.linkHash, hash)
  const [rsvp] = await db.select().from(rsvps).where(isLinked)
  const standingId = link?.standingId ?? rsvp?.standingId
  const [standing] = standingId ? await db.select().from(standingRsvps).where(eq(standingRsvps.id, standingId)) : []
  const hidesPrayer = link?.hidesPrayer ?? false
  if (standing !== undefined) return { ...(await readHousehold(standing, week, call)), hidesPrayer }
  const [stored] = await readStored(isLinked)
  if (stored === undefined) throw new UserError('no-such-link')
  return { ...(await readSingle(stored, call)), hidesPrayer }
}

/** @throws UserError 'gone' when the service is over or the church has deleted the RSVP. */
async function readSingle(stored: StoredRsvp, { now }: Call): Promise<Opened> {
  const schedule = await readSchedule()
  const { endsAt } = stored.serviceDate ? serviceOn(schedule, stored.serviceDate) : nextService(schedule, now)
  if (endsAt <= now.toISOString()) throw new UserError('service-over')
  if (isRemoved(stored)) throw new UserError('rsvp-removed')
  return { stored, endsAt }
}

/**
 * @param chosen the day of a week, by default the next one that is not closed. Ignored once the household has ended all.
 * @throws UserError 'gone' once others have ended the standing RSVP, or when the church has deleted that week's RSVP;
 * 'invalid' for a day whose service is over or skipped, or before the household's first; 'not-found' if no week is written.
 */
async function readHousehold(standing: Standing, chosen: string | undefined, call: Call): Promise<Opened> {
  const { endedAt, seenAt } = standing
  const forgottenAt = endedAt && daysBefore(endedAt, -(await countEndedDays()))
  if (forgottenAt && (endedAt !== seenAt || forgottenAt <= call.now.toISOString()))
    throw new UserError('household-ended')
  const day = forgottenAt ? undefined : chosen
  const schedule = await readSchedule()
  const services = servicesAhead(schedule, call.now).filter(({ date }) => date >= standing.since)
  const nextDay = nextService(schedule, call.now).date
  const dates = services.map(({ date }) => date)
  const weeks = await readWeeks(standing, dates)
  const written = services.filter(({ date }) => weeks.some(({ stored }) => stored.serviceDate === date))
  const refused = day === undefined ? undefined : serviceNotOffered(day, schedule, written)
  if (refused !== undefined) throw refused
  const open = weeks.filter(({ stored }) => stored.serviceDate >= nextDay)
  const isChosen = ({ stored }: Week) => (day === undefined ? !isRemoved(stored, endedAt) : stored.serviceDate === day)
  const week = (day === undefined ? open : weeks).find(isChosen) ?? open[0] ?? weeks[0]
  // There is none only if the clock was set to another time.
  if (week === undefined) throw new UserError('no-such-link')
  if (isRemoved(week.stored, endedAt)) throw new UserError('rsvp-removed')
  const endsAt = forgottenAt ?? serviceOn(schedule, dates.at(-1) ?? standing.since).endsAt
  return { stored: week.stored, endsAt, household: { standing, weeks, week, nextDay } }
}

/** @throws UserError 'invalid' for the link of a single RSVP. */
export function householdOf({ household }: Linked): Household {
  if (household !== undefined) return household
  throw new UserError('one-service').at('everyWeek')
}

/** The RSVPs of the household for the services on these days, as far as they are written. */
export async function readWeeks(standing: Standing, dates: string[]): Promise<Week[]> {
  const isOnTheseDays = inArray(rsvps.serviceDate, dates)
  const isOwn = eq(rsvps.standingId, standing.id)
  const own = await readStored(and(isOwn, isOnTheseDays))
  const known = standing.email === '' ? [] : await readStored(and(isOnTheseDays, isLive, hasEmail(standing.email)))
  return dates.flatMap((date): Week[] => {
    const rows = own.filter(({ serviceDate }) => serviceDate === date)
    const stored = rows.find(({ deletedAt }) => deletedAt === null) ?? rows[0]
    if (stored === undefined) return []
    const others = known.filter((rsvp) => isSame(rsvp, stored) && rsvp.id !== stored.id)
    const [newest = stored] = newestFirst(stored.deletedAt === null ? [stored, ...others] : others) ?? []
    const decidedBy = newest !== stored ? 'another RSVP' : isRemoved(stored) ? 'church' : 'link'
    return [{ stored, decidedBy }]
  })
}

/** Whether the church has deleted it. @param endedAt when the household has ended "every week". */
function isRemoved(stored: StoredRsvp, endedAt: string | null = null): boolean {
  return ![null, endedAt].includes(stored.deletedAt) && deletionOf(stored) !== 'withdrawn'
}

/** Who comes by this link. */
export function peopleOf({ stored, decidedBy }: Week): { name: string }[] {
  if (stored.deletedAt !== null || decidedBy !== 'link') return []
  return [stored, ...stored.familyMembers].filter(({ attending }) => attending)
}

/** The week as its household sees it. */
export function shownWeek(week: Week): OwnWeek {
  const { stored, decidedBy } = week
  const people = peopleOf(week)
  const roles = people.includes(stored) ? stored.volunteerSignups.map(({ role }) => role.name) : []
  return { date: stored.serviceDate, people: people.length, roles, decidedBy }
}
