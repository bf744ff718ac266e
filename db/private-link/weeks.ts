import { and, eq, inArray } from 'drizzle-orm'
import { getFeatures } from '#db/feature/operations.ts'
import type { Call } from '#db/operation.ts'
import { isSame } from '#db/rsvp/duplicates.ts'
import { readStored } from '#db/rsvp/read.ts'
import { listVolunteerRoles } from '#db/rsvp/roles.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { hasEmail, isLive } from '#db/rsvp/search.ts'
import { deletionOf, lastWordFirst } from '#db/rsvp/stored.ts'
import { rsvps } from '#db/rsvp/table.ts'
import type { Standing } from '#db/standing/table.ts'
import type { OfferedRole } from '#db/volunteer-role/schema.ts'
import type { OwnWeek } from './schema.ts'

/** A service of a household that comes every week. */
export type Week = Pick<OwnWeek, 'full' | 'decidedBy'> & { stored: StoredRsvp }

/** What the household has said for the services on these days, as far as they are written. */
export async function readWeeks(standing: Standing, dates: string[], call: Call): Promise<Week[]> {
  const isThen = inArray(rsvps.serviceDate, dates)
  const { volunteerSignup } = await getFeatures(call)
  const roles = volunteerSignup && standing.volunteerRoles.length > 0 ? await listVolunteerRoles(call) : []
  const wished = roles.filter(({ id }) => standing.volunteerRoles.includes(id))
  const isOwn = eq(rsvps.standingId, standing.id)
  const own = await readStored(and(isOwn, isThen))
  const known = standing.email === '' ? [] : await readStored(and(isThen, isLive, hasEmail(standing.email)))
  return dates.flatMap((date): Week[] => {
    const rows = own.filter(({ serviceDate }) => serviceDate === date)
    const stored = rows.find(({ deletedAt }) => deletedAt === null) ?? rows[0]
    if (stored === undefined) return []
    const others = known.filter((rsvp) => isSame(rsvp, stored) && rsvp.id !== stored.id)
    const [newest = stored] = lastWordFirst(stored.deletedAt === null ? [stored, ...others] : others) ?? []
    const decidedBy = newest !== stored ? 'another RSVP' : isRemoved(stored) ? 'church' : 'link'
    const held = stored.volunteerSignups.map(({ role }) => role.id)
    const full = wished.filter((role) => isFilled(role, date) && !held.includes(role.id)).map(({ name }) => name)
    return [{ stored, decidedBy, full }]
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
