import { and, asc, eq, isNull, ne } from 'drizzle-orm'
import type { Call } from '#db/operation.ts'
import { type LinkTarget, makeLink } from '#db/private-link/links.ts'
import { listSuperseded } from '#db/rsvp/duplicates.ts'
import { readStored } from '#db/rsvp/read.ts'
import { hasEmail, isLive } from '#db/rsvp/search.ts'
import { rsvps, UNSTAMPED } from '#db/rsvp/table.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import { serviceOn } from '#db/schedule/services.ts'
import { QUIET_DAYS } from '#db/standing/schema.ts'
import { standingRsvps } from '#db/standing/table.ts'
import { db, transaction } from '#db/storage/client.ts'
import { daysBefore } from '#db/values/time-zone.ts'
import type { QueuedMail } from './message.ts'

// What messages to visitors are about, as the database says now. Each message has its own secret of a private link.

/** The RSVP; undefined if it does not count any more, e.g. because it was withdrawn, or its service has begun. */
export async function findMailedRsvp({ rsvpId, kind, key }: QueuedMail, call: Call) {
  const [rsvp] = await listAhead(and(eq(rsvps.id, rsvpId ?? 0), ne(rsvps.email, '')), 'startsAt', call)
  // A reminder names its day: the RSVP may have moved to another since.
  const isWanted = kind !== 'reminder' || (rsvp?.remind && rsvp.attending && key.endsWith(` ${rsvp.serviceDate}`))
  if (rsvp === undefined || !isWanted) return undefined
  const [known] = await db.select({ standingId: rsvps.standingId }).from(rsvps).where(eq(rsvps.id, rsvp.id))
  // A household keeps its confirmation; the next reminder has the next link. Both open all of its weeks.
  const standingId = kind === 'confirmation' ? known?.standingId : null
  return { rsvp, secret: await newSecret(standingId ? { standingId } : { rsvpId: rsvp.id }, call) }
}

/** Links for what an address has said for every week, which have no day, and for its other RSVPs that are not over. */
export async function makeMailedLinks(address: string, call: Call) {
  const weekly = await db
    .select()
    .from(standingRsvps)
    .where(and(isNull(standingRsvps.endedAt), hasEmail(address, standingRsvps)))
  const single = await listAhead(and(hasEmail(address), isNull(rsvps.standingId)), 'endsAt', call)
  const targets: { name: string; day?: string; target: LinkTarget }[] = [
    ...weekly.map(({ id, name }) => ({ name, target: { standingId: id } })),
    ...single.map(({ id, name, serviceDate }) => ({ name, day: serviceDate, target: { rsvpId: id } })),
  ]
  return Promise.all(targets.map(async ({ target, ...link }) => ({ ...link, secret: await newSecret(target, call) })))
}

/** The household to ask whether it still comes every week; undefined once it has said so, or that is over. */
export async function findAsked({ standingId }: QueuedMail, call: Call) {
  const isAlive = and(eq(standingRsvps.id, standingId ?? 0), isNull(standingRsvps.endedAt), ne(standingRsvps.email, ''))
  const [asked] = await db.select().from(standingRsvps).where(isAlive)
  if (asked === undefined || asked.askedAt === null || asked.seenAt > asked.askedAt) return undefined
  const endsAt = daysBefore(asked.seenAt, -QUIET_DAYS)
  const { timeZone } = await readSchedule()
  return { ...asked, endsAt, timeZone, secret: await newSecret({ standingId: asked.id }, call) }
}

/** The RSVPs that count at a service that is held, and has not begun or is not over. */
async function listAhead(condition: ReturnType<typeof and>, until: 'startsAt' | 'endsAt', { now }: Call) {
  const schedule = await readSchedule()
  const found = await readStored(and(isLive, condition), [asc(rsvps.serviceDate), asc(rsvps.id)])
  const ahead = found.filter(({ serviceDate }) => {
    const isHeld = serviceDate !== UNSTAMPED && !schedule.skippedDates.includes(serviceDate)
    return isHeld && serviceOn(schedule, serviceDate)[until] > now.toISOString()
  })
  const days = new Set(ahead.map(({ serviceDate }) => serviceDate))
  const superseded = (await Promise.all(Array.from(days, (day) => listSuperseded(day)))).flat()
  return ahead.filter(({ id }) => !superseded.includes(id))
}

function newSecret(target: LinkTarget, call: Call): Promise<string> {
  return transaction((tx) => makeLink(tx, target, call))
}
