import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, ne, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { isPresent } from '#db/access/administrators.ts'
import { administrators } from '#db/access/table.ts'
import type { Call } from '#db/operation.ts'
import { type LinkTarget, makeLink } from '#db/private-link/links.ts'
import { isAtLeast } from '#db/roles.ts'
import { listSuperseded } from '#db/rsvp/duplicates.ts'
import { readStored } from '#db/rsvp/read.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { isLive, oneOf } from '#db/rsvp/search.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import { serviceOn } from '#db/schedule/services.ts'
import { skippedDates } from '#db/schedule/table.ts'
import { standingRsvps } from '#db/standing/table.ts'
import { db, transaction } from '#db/storage/client.ts'
import { addDays } from '#db/values/dates.ts'
import { momentOf } from '#db/values/time-zone.ts'
import type { QueuedMail } from './queue.ts'
import type { MailChoice } from './schema.ts'

// What messages are about, and who gets them, as the database says now. Each has its own secret of a private link.

/** In the time zone of the schedule. */
export const DIGEST_TIME = '18:00'

/** How many RSVPs one message names. */
const LINKS_MAXIMUM = 100

/** The administrators who have chosen to get something by mail, and may see it. A digest says who cannot come. */
export async function listRecipients(choice: MailChoice) {
  const people = await db.select().from(administrators).where(isPresent)
  return people.filter(({ mail, role, prayers }) => {
    const maySee = { sheet: true, digest: isAtLeast('clerk', role), prayers: prayers !== 'none' }
    return mail.includes(choice) && maySee[choice]
  })
}

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
  const sent = await readStored(and(isLive, isNotNull(rsvps.linkHash), isToday), [
    asc(rsvps.serviceDate),
    asc(rsvps.id),
  ])
  const superseded = await listSuperseded()
  return sent.filter(({ id }) => !superseded.includes(id))
}

/**
 * The RSVPs of one mailbox, without those that do not count any more, e.g. because they were withdrawn, or their service has
 * begun.
 */
export async function findMailedRsvps(mails: QueuedMail[], call: Call) {
  const found = await Promise.all(mails.map((mail) => findMailedRsvp(mail, call)))
  return withSecrets(
    found.filter((each) => each !== undefined),
    call,
  )
}

async function findMailedRsvp({ rsvpId, kind, key }: QueuedMail, call: Call) {
  const isChanged = kind === 'skipped' || kind === 'held'
  const isOwn = and(eq(rsvps.id, rsvpId ?? 0), ne(rsvps.email, ''))
  const [rsvp] = isChanged ? await readStored(and(isOwn, isLive)) : await listAhead(isOwn, 'startsAt', call)
  if (rsvp === undefined) return undefined
  // Some name their day: the RSVP may have moved to another since.
  const isThen = `${key} `.includes(` ${rsvp.serviceDate} `)
  if (kind === 'reminder' && !(rsvp.remind && rsvp.attending && isThen)) return undefined
  const [skipped] = await db.select().from(skippedDates).where(eq(skippedDates.date, rsvp.serviceDate))
  if (isChanged && !(isThen && (skipped !== undefined) === (kind === 'skipped'))) return undefined
  const [known] = await db.select({ standingId: rsvps.standingId }).from(rsvps).where(eq(rsvps.id, rsvp.id))
  // A household keeps its confirmation; the next reminder has the next link. Both open all of its weeks.
  const standingId = kind === 'confirmation' ? known?.standingId : null
  const target: LinkTarget = standingId ? { standingId } : { rsvpId: rsvp.id }
  return { rsvp, email: rsvp.email, target, reason: skipped?.reason }
}

type Linked = { email: string; target: LinkTarget }

/**
 * Adds the secrets of private links to what one message is about. It goes to one address of the mailbox, and has no links of
 * others: where `+` means nothing, they belong to other people.
 */
async function withSecrets<Each extends Linked>(about: Each[], call: Call) {
  const { email: to = '' } = about.find(({ email }) => !email.includes('+')) ?? about[0] ?? {}
  const isOwn = ({ email }: Linked) => email.toLowerCase() === to.toLowerCase()
  const ordered = [...about.filter(isOwn), ...about.filter((each) => !isOwn(each))].slice(0, LINKS_MAXIMUM)
  return Promise.all(
    ordered.map(async (each) => ({
      ...each,
      to,
      secret: isOwn(each) ? await transaction((tx) => makeLink(tx, each.target, call)) : undefined,
    })),
  )
}

/**
 * What the addresses of some messages have said for every week, which has no day, and their other RSVPs that are not over,
 * with links.
 */
export async function makeMailedLinks(mails: Pick<QueuedMail, 'address' | 'rsvpId'>[], call: Call) {
  const ids = mails.flatMap(({ rsvpId }) => rsvpId ?? [])
  const sent = await db.select({ address: rsvps.email }).from(rsvps).where(oneOf(ids))
  const addresses = [...mails, ...sent].flatMap(({ address }) => address?.toLowerCase() || [])
  const isTheirs = (table: { email: SQLiteColumn }) => inArray(sql`lower(${table.email})`, addresses)
  const weekly = await db
    .select()
    .from(standingRsvps)
    .where(and(isNull(standingRsvps.endedAt), isTheirs(standingRsvps)))
  const single = await listAhead(and(isTheirs(rsvps), isNull(rsvps.standingId)), 'endsAt', call)
  const targets: (Linked & { name: string; day?: string })[] = [
    ...weekly.map(({ id, name, email }) => ({ name, email, target: { standingId: id } })),
    ...single.map(({ id, name, email, serviceDate }) => ({ name, email, day: serviceDate, target: { rsvpId: id } })),
  ]
  return withSecrets(targets, call)
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
