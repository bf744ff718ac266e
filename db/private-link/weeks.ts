import { and, eq, gt, inArray, isNotNull, or } from 'drizzle-orm'
import { getFeatures } from '#db/feature/operations.ts'
import type { Call } from '#db/operation.ts'
import { isSame } from '#db/rsvp/duplicates.ts'
import { readStored } from '#db/rsvp/read.ts'
import { listVolunteerRoles } from '#db/rsvp/roles.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { hasEmail, isLive } from '#db/rsvp/search.ts'
import { deletionOf, lastWordFirst } from '#db/rsvp/stored.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { type Standing, standingRsvps } from '#db/standing/table.ts'
import { isAlive, toRsvp } from '#db/standing/write.ts'
import { db } from '#db/storage/client.ts'
import type { OfferedRole } from '#db/volunteer-role/schema.ts'
import type { OwnWeek } from './schema.ts'

/** A service of a household that comes every week. `stored` has no id of its own until it `isWritten`. */
export type Week = Pick<OwnWeek, 'full' | 'decidedBy'> & { stored: StoredRsvp; isWritten: boolean }

/** What the household has said for the services on these days, or what would be written for them. */
export async function readWeeks(standing: Standing, dates: string[], call: Call): Promise<Week[]> {
  const isThen = inArray(rsvps.serviceDate, dates)
  const { familyRsvp, volunteerSignup } = await getFeatures(call)
  const roles = volunteerSignup && standing.volunteerRoles.length > 0 ? await listVolunteerRoles(call) : []
  const wished = roles.filter(({ id }) => standing.volunteerRoles.includes(id))
  const isOwn = eq(rsvps.standingId, standing.id)
  // A merge may have moved what it said into another.
  const opened = db
    .select({ id: rsvps.linksOpen })
    .from(rsvps)
    .where(and(isOwn, isNotNull(rsvps.linksOpen)))
  const own = await readStored(and(or(isOwn, inArray(rsvps.id, opened)), isThen))
  const known = standing.email === '' ? [] : await readStored(and(isThen, isLive, hasEmail(standing.email)))
  const isLater = and(isAlive(call.now), gt(standingRsvps.id, standing.id))
  const later = await db.select().from(standingRsvps).where(isLater)
  return dates.map((date): Week => {
    const rows = own.filter(({ serviceDate }) => serviceDate === date)
    const written = rows.find(({ deletedAt }) => deletedAt === null) ?? rows[0]
    const free = wished.filter((role) => !isFilled(role, date))
    const stored = written ?? toRsvp({ ...standing, ...(!familyRsvp && { familyMembers: [] }) }, date, free)
    const others = known.filter((rsvp) => isSame(rsvp, stored) && rsvp.id !== stored.id)
    const [newest = stored] = lastWordFirst(written?.deletedAt === null ? [written, ...others] : others) ?? []
    // Of a person who has begun twice the last word counts, as `writeStandingRsvps` decides.
    const isEarlier = later.some((other) => other.since <= date && isSame({ ...other, serviceDate: date }, stored))
    const isOther = newest !== stored || (written === undefined && isEarlier)
    const decidedBy = isOther ? 'another RSVP' : isRemoved(stored) ? 'church' : 'link'
    const held = stored.volunteerSignups.map(({ role }) => role.id)
    const full = wished.filter((role) => isFilled(role, date) && !held.includes(role.id)).map(({ name }) => name)
    return { stored, isWritten: written !== undefined, decidedBy, full }
  })
}

/** Whether the church has taken it out. */
export function isRemoved(stored: StoredRsvp): boolean {
  return stored.deletedAt !== null && deletionOf(stored) !== 'withdrawn'
}

/** Who comes by this link. */
export function peopleOf({ stored, decidedBy }: Week): { name: string }[] {
  if (stored.deletedAt !== null || decidedBy !== 'link') return []
  return [stored, ...stored.familyMembers].filter(({ attending }) => attending)
}

/** The week as its household sees it. */
export function shownWeek(week: Week): OwnWeek {
  const { stored, full, decidedBy } = week
  const people = peopleOf(week)
  const helps = people.includes(stored)
  const roles = helps ? stored.volunteerSignups.map(({ role }) => role.name) : []
  return { date: stored.serviceDate, people: people.length, roles, full: helps ? full : [], decidedBy }
}

function isFilled({ needed, filled = {} }: OfferedRole, date: string): boolean {
  return needed !== undefined && (filled[date] ?? 0) >= needed
}
