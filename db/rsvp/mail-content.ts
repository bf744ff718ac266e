import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, ne, or, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Call } from '#db/call.ts'
import type { QueuedMail } from '#db/mail/queue.ts'
import { readSchedule } from '#db/schedule.ts'
import { db, transaction } from '#db/storage/client.ts'
import { skippedDates } from '#db/tables/invitation.ts'
import { rsvps, standingRsvps } from '#db/tables/rsvp.ts'
import { addDays } from '#db/values/dates.ts'
import type { MailChoice } from '#db/values/mail.ts'
import type { StoredRsvp } from '#db/values/rsvp.ts'
import { serviceOn } from '#db/values/services.ts'
import { momentOf } from '#db/values/time-zone.ts'
import { listSuperseded } from './duplicates.ts'
import { type LinkTarget, makeLink } from './private-links.ts'
import { DIGEST_TIME, listRecipients } from './queue-mail.ts'
import { isLive, readStored } from './read.ts'

// What a queued message is about and who gets it, read when it is made. Each message gets a private link of its own.

/** Who gets a message, and as whom that person calls; undefined if the message is no longer wanted or allowed. */
export async function findRecipient({ administratorId }: QueuedMail, choice: MailChoice) {
  const found = (await listRecipients(choice)).find(({ id }) => id === administratorId)
  if (!found?.email) return undefined
  const { id, name, email: to, role, seesContacts, prayers } = found
  return { to, caller: { role, administrator: { id, name, seesContacts, prayers, session: 0, provenAt: 0 } } }
}

/**
 * The RSVPs that visitors have sent in the day up to a digest, the oldest first. Those that are written from a standing
 * RSVP or entered by an administrator are no news.
 */
export async function listNews({ key }: QueuedMail): Promise<StoredRsvp[]> {
  const [, day = ''] = key.split(' ')
  const { timeZone } = await readSchedule()
  const at = (each: string) => momentOf(timeZone, each, DIGEST_TIME).toISOString()
  const isToday = and(gt(rsvps.createdAt, at(addDays(day, -1))), lte(rsvps.createdAt, at(day)))
  // A merge may have ended the link of the one that it kept.
  const kept = db.select({ id: rsvps.mergedInto }).from(rsvps).where(isNotNull(rsvps.linkHash))
  const isSent = or(isNotNull(rsvps.linkHash), inArray(rsvps.id, kept))
  const sent = await readStored(and(isLive, isSent, isToday), [asc(rsvps.serviceDate), asc(rsvps.id)])
  const superseded = await listSuperseded()
  return sent.filter(({ id }) => !superseded.includes(id))
}

/**
 * The RSVP that a message is about; undefined if it does not count any more, e.g. because it was withdrawn, or its service
 * has begun.
 */
export async function findMailedRsvp({ rsvpId, kind, key }: QueuedMail, call: Call) {
  const isChange = kind === 'skipped' || kind === 'held'
  const isOwn = and(eq(rsvps.id, rsvpId ?? 0), ne(rsvps.email, ''))
  const [rsvp] = isChange ? await readStored(and(isOwn, isLive)) : await listAhead(isOwn, 'startsAt', call)
  if (rsvp === undefined) return undefined
  // The keys of reminders and of these changes name a day; the RSVP may have moved to another since.
  const isForItsDay = `${key} `.includes(` ${rsvp.serviceDate} `)
  if (kind === 'reminder' && !(rsvp.remind && rsvp.attending && isForItsDay)) return undefined
  const [skipped] = await db.select().from(skippedDates).where(eq(skippedDates.date, rsvp.serviceDate))
  if (isChange && !(isForItsDay && (skipped !== undefined) === (kind === 'skipped'))) return undefined
  const [known] = await db.select({ standingId: rsvps.standingId }).from(rsvps).where(eq(rsvps.id, rsvp.id))
  // A household keeps its confirmation; the next reminder has the next link. Both open all of its weeks.
  const standingId = kind === 'confirmation' ? known?.standingId : null
  const secret = await newSecret(standingId ? { standingId } : { rsvpId: rsvp.id }, call)
  return { rsvp, secret, reason: skipped?.reason }
}

function newSecret(target: LinkTarget, call: Call): Promise<string> {
  return transaction((tx) => makeLink(tx, target, call))
}

/** New private links for an address: for each of its standing RSVPs, which have no day, and for its other RSVPs that are not over. */
export async function makeMailedLinks(address: string, call: Call) {
  const isTheirs = (table: { email: SQLiteColumn }) => eq(sql`lower(${table.email})`, address.toLowerCase())
  const weekly = await db
    .select()
    .from(standingRsvps)
    .where(and(isNull(standingRsvps.endedAt), isTheirs(standingRsvps)))
  const single = await listAhead(and(isTheirs(rsvps), isNull(rsvps.standingId)), 'endsAt', call)
  const targets: { name: string; day?: string; target: LinkTarget }[] = [
    ...weekly.map(({ id, name }) => ({ name, target: { standingId: id } })),
    ...single.map(({ id, name, serviceDate }) => ({ name, day: serviceDate, target: { rsvpId: id } })),
  ]
  return Promise.all(targets.map(async (each) => ({ ...each, secret: await newSecret(each.target, call) })))
}

/** The RSVPs that count at a service that is held, and has not begun or is not over. */
async function listAhead(condition: ReturnType<typeof and>, until: 'startsAt' | 'endsAt', { now }: Call) {
  const schedule = await readSchedule()
  const found = await readStored(and(isLive, condition), [asc(rsvps.serviceDate), asc(rsvps.id)])
  const ahead = found.filter(({ serviceDate }) => {
    const isHeld = !schedule.skippedDates.includes(serviceDate)
    return isHeld && serviceOn(schedule, serviceDate)[until] > now.toISOString()
  })
  const days = new Set(ahead.map(({ serviceDate }) => serviceDate))
  const superseded = (await Promise.all(Array.from(days, (day) => listSuperseded(day)))).flat()
  return ahead.filter(({ id }) => !superseded.includes(id))
}
