import { and, eq, gt, inArray } from 'drizzle-orm'
import { audit } from '#db/audit/operations.ts'
import { getFeatures } from '#db/feature/operations.ts'
import type { Call } from '#db/operation.ts'
import { isSame } from '#db/rsvp/duplicates.ts'
import { readStored } from '#db/rsvp/read.ts'
import { listVolunteerRoles } from '#db/rsvp/roles.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { hasEmail, isLive } from '#db/rsvp/search.ts'
import { deletionOf, lastWordFirst, sentAs } from '#db/rsvp/stored.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { insertRsvps } from '#db/rsvp/write.ts'
import type { Service } from '#db/schedule/schema.ts'
import { standingRsvps } from '#db/standing/table.ts'
import { isAlive, rsvpFrom } from '#db/standing/write.ts'
import { db, type Transaction } from '#db/storage/client.ts'
import type { OfferedRole } from '#db/volunteer-role/schema.ts'
import type { OwnWeek } from './schema.ts'

export type Standing = typeof standingRsvps.$inferSelect

/** A service of a household that comes every week. `stored` has no id of its own until it `isWritten`. */
export type Week = Pick<OwnWeek, 'full' | 'decidedBy'> & { service: Service; stored: StoredRsvp; isWritten: boolean }

/** What the household has said for each of these services, or what would be written for it. */
export async function readWeeks(standing: Standing, services: Service[], call: Call): Promise<Week[]> {
  const isThen = inArray(
    rsvps.serviceDate,
    services.map(({ date }) => date),
  )
  const features = await getFeatures(call)
  const roles = features.volunteerSignup && standing.volunteerRoles.length > 0 ? await listVolunteerRoles(call) : []
  const wished = roles.filter(({ id }) => standing.volunteerRoles.includes(id))
  const family = features.familyRsvp ? standing.familyMembers : []
  const own = await readStored(and(eq(rsvps.standingId, standing.id), isThen))
  const known = standing.email === '' ? [] : await readStored(and(isThen, isLive, hasEmail(standing.email)))
  const later = await listLater(standing, call)
  return services.map((service): Week => {
    const { date } = service
    const rows = own.filter(({ serviceDate }) => serviceDate === date)
    const written = rows.find(({ deletedAt }) => deletedAt === null) ?? rows[0]
    const free = wished.filter((role) => !isFilled(role, date))
    const stored = written ?? toRsvp({ ...standing, familyMembers: family }, date, free)
    const others = known.filter((rsvp) => isSame(rsvp, stored) && rsvp.id !== stored.id)
    const [newest = stored] = lastWordFirst(written?.deletedAt === null ? [written, ...others] : others) ?? []
    const isOther = newest !== stored || (written === undefined && later.some(({ since }) => since <= date))
    const decidedBy = isOther ? 'another RSVP' : isRemoved(stored) ? 'church' : 'link'
    const has = (role: OfferedRole) => stored.volunteerSignups.some(({ role: { id } }) => id === role.id)
    const full = wished.filter((role) => isFilled(role, date) && !has(role)).map(({ name }) => name)
    return { service, stored, isWritten: written !== undefined, decidedBy, full }
  })
}

/** Those that the same person began later and that count instead, as `writeStandingRsvps` decides. */
async function listLater(standing: Standing, { now }: Call) {
  const { id, name, email, since } = standingRsvps
  const begun = await db
    .select({ name, email, since })
    .from(standingRsvps)
    .where(and(isAlive(now), gt(id, standing.id)))
  return begun.filter((other) => isSame({ ...other, serviceDate: '' }, { ...standing, serviceDate: '' }))
}

/** Whether the church has taken it out. */
export function isRemoved(stored: StoredRsvp): boolean {
  return stored.deletedAt !== null && deletionOf(stored) !== 'withdrawn'
}

/** The week as its household sees it. */
export function shownWeek({ service: { date }, stored, full, decidedBy }: Week): OwnWeek {
  const isOff = stored.deletedAt !== null || decidedBy !== 'link'
  const coming = isOff ? [] : [stored, ...stored.familyMembers].filter(({ attending }) => attending)
  const helps = !isOff && stored.attending
  const roles = helps ? stored.volunteerSignups.map(({ role }) => role.name) : []
  return { date, people: coming.length, roles, full: helps ? full : [], decidedBy }
}

/** Stores the RSVP of a week before its time, because something is said about it; returns it. */
export async function writeWeek(tx: Transaction, standing: Standing, week: Week, call: Call): Promise<StoredRsvp> {
  if (week.isWritten) return week.stored
  const { familyMembers, volunteerRoles } = sentAs(week.stored)
  const planned = rsvpFrom({ ...standing, familyMembers }, week.service.date, volunteerRoles, call)
  const changedAt = planned.createdAt
  const [written] = await insertRsvps(tx, [{ ...planned, changedAt }])
  if (written === undefined) throw new Error('The RSVP of a week was not stored.')
  await audit(tx, call, 'response changed', String(written.id))
  return { ...week.stored, id: written.id, createdAt: changedAt, changedAt }
}

function isFilled({ needed, filled = {} }: OfferedRole, date: string): boolean {
  return needed !== undefined && (filled[date] ?? 0) >= needed
}

/** What the standing RSVP says, as the RSVP of one day. */
export function toRsvp(standing: Standing, serviceDate: string, roles: OfferedRole[]): StoredRsvp {
  const { name, email, phone, familyMembers, suspicion, createdAt, remind } = standing
  return {
    ...{ id: 0, name, email, phone, message: null, attending: true, addToCalendar: false, calendarType: null },
    ...{ createdAt, deletedAt: null, suspicion, serviceDate, changedAt: null, mergedInto: null },
    familyMembers: familyMembers.map(({ age = null, ...member }) => ({ ...member, age })),
    volunteerSignups: roles.map(({ id, name }) => ({ role: { id, name } })),
    ...{ standing: true, firstVisit: false, remind },
  }
}
