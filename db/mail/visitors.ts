import { addDays } from 'date-fns/addDays'
import { and, asc, eq, inArray, isNull, ne, not, or } from 'drizzle-orm'
import type { Call } from '#db/operation.ts'
import { type LinkTarget, makeLink } from '#db/private-link/links.ts'
import { listSuperseded } from '#db/rsvp/duplicates.ts'
import { readStored } from '#db/rsvp/read.ts'
import { findFilledRoles } from '#db/rsvp/roles.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { hasEmail, isLive } from '#db/rsvp/search.ts'
import { rsvps, UNSTAMPED } from '#db/rsvp/table.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import { serviceOn } from '#db/schedule/services.ts'
import { QUIET_DAYS } from '#db/standing/schema.ts'
import { standingRsvps } from '#db/standing/table.ts'
import { db, transaction } from '#db/storage/client.ts'
import type { QueuedMail } from './message.ts'

// What messages to visitors are about, as the database says now. Each message has its own secret of a private link.

export type MailedRsvp = NonNullable<Awaited<ReturnType<typeof findMailedRsvp>>>

/** Undefined if it does not count any more, e.g. because it was withdrawn, or is over. */
export async function findMailedRsvp({ rsvpId, kind, key }: QueuedMail, call: Call) {
  const [rsvp] = await listAhead(and(eq(rsvps.id, rsvpId ?? 0), ne(rsvps.email, '')), call)
  if (rsvp === undefined) return undefined
  // A reminder names its day: the RSVP may have moved to another since.
  if (kind === 'reminder' && !(rsvp.remind && rsvp.attending && key.endsWith(` ${rsvp.serviceDate}`))) return undefined
  const [known] = await db
    .select({ language: rsvps.language, standing: standingRsvps })
    .from(rsvps)
    .leftJoin(standingRsvps, and(eq(standingRsvps.id, rsvps.standingId), isNull(standingRsvps.endedAt)))
    .where(eq(rsvps.id, rsvp.id))
  const standing = known?.standing ?? undefined
  const own = rsvp.volunteerSignups.map(({ role }) => role.id)
  const wished = standing?.volunteerRoles.filter((role) => !own.includes(role)) ?? []
  return {
    rsvp,
    language: known?.language ?? null,
    /** The names of roles that the household would fill every week, and that others fill at this service. */
    filled: rsvp.attending ? await findFilledRoles(wished, rsvp) : [],
    secret: await newSecret(standing === undefined ? { rsvpId: rsvp.id } : { standingId: standing.id }, call),
  }
}

/** Links for what an address has said for every week, which have no day, and for its other RSVPs that are not over. */
export async function makeMailedLinks(address: string, call: Call) {
  const { id, name, email } = standingRsvps
  const alive = await db.select({ id, name, email }).from(standingRsvps).where(isNull(standingRsvps.endedAt))
  const weekly = alive.filter((standing) => standing.email.toLowerCase() === address.toLowerCase())
  const ofWeekly = inArray(
    rsvps.standingId,
    weekly.map((standing) => standing.id),
  )
  const others = await listAhead(and(hasEmail(address), or(isNull(rsvps.standingId), not(ofWeekly))), call)
  const targets: { name: string; day: string | undefined; target: LinkTarget }[] = [
    ...weekly.map((standing) => ({ name: standing.name, day: undefined, target: { standingId: standing.id } })),
    ...others.map((rsvp) => ({ name: rsvp.name, day: rsvp.serviceDate, target: { rsvpId: rsvp.id } })),
  ]
  return Promise.all(targets.map(async ({ target, ...link }) => ({ ...link, secret: await newSecret(target, call) })))
}

/** The household to ask whether it still comes every week; undefined once it has said so, or that is over. */
export async function findAsked({ standingId }: QueuedMail, call: Call) {
  const isAlive = and(eq(standingRsvps.id, standingId ?? 0), isNull(standingRsvps.endedAt), ne(standingRsvps.email, ''))
  const [asked] = await db.select().from(standingRsvps).where(isAlive)
  if (asked === undefined || asked.askedAt === null || asked.seenAt > asked.askedAt) return undefined
  const endsAt = addDays(asked.seenAt, QUIET_DAYS).toISOString()
  const { timeZone } = await readSchedule()
  return { ...asked, endsAt, timeZone, secret: await newSecret({ standingId: asked.id }, call) }
}

/** The RSVPs that count at a service that is held, and not over. */
async function listAhead(condition: ReturnType<typeof and>, { now }: Call): Promise<StoredRsvp[]> {
  const schedule = await readSchedule()
  const found = await readStored(and(isLive, condition), [asc(rsvps.serviceDate), asc(rsvps.id)])
  const ahead = found.filter(({ serviceDate }) => {
    const isHeld = serviceDate !== UNSTAMPED && !schedule.skippedDates.includes(serviceDate)
    return isHeld && serviceOn(schedule, serviceDate).endsAt > now.toISOString()
  })
  const days = new Set(ahead.map(({ serviceDate }) => serviceDate))
  const superseded = (await Promise.all(Array.from(days, (day) => listSuperseded(day)))).flat()
  return ahead.filter(({ id }) => !superseded.includes(id))
}

function newSecret(target: LinkTarget, call: Call): Promise<string> {
  return transaction((tx) => makeLink(tx, target, call))
}
