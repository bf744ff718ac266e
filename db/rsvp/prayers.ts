import { and, desc, eq, inArray, isNull, or } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { audit } from '#db/audit.ts'
import { type Call, parseInput } from '#db/call.ts'
import { queueMail } from '#db/mail/queue.ts'
import { getSettings } from '#db/settings.ts'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { prayers, rsvps } from '#db/tables/rsvp.ts'
import { UserError } from '#db/values/errors.ts'
import { type Audience, mayRead, type PrayerAccess, prayerChange, type ShownPrayer } from '#db/values/prayer.ts'
import { isAtLeast } from '#db/values/roles.ts'
import { daysBefore } from '#db/values/time-zone.ts'
import { isSame } from './duplicates.ts'
import { listRecipients } from './queue-mail.ts'

/** What the caller reads: a command, and everyone in open mode, reads everything. */
export function prayerAccessOf({ role, administrator }: Pick<Call, 'role' | 'administrator'>): PrayerAccess {
  return administrator?.prayers ?? (isAtLeast('owner', role) ? 'pastor' : 'none')
}

/** Whether the caller gets the page of prayer requests: while the form asks for them, or there are some. */
export async function offersPrayers(call: Call): Promise<boolean> {
  if (prayerAccessOf(call) === 'none') return false
  return (await getSettings()).prayers || (await listPrayers(call)).length > 0
}

/**
 * The prayer requests that the caller may read, by service, the newest first. Those of RSVPs that were merged are among
 * them, but not those of deleted ones.
 * @throws UserError 'forbidden' for a caller who reads none.
 */
export async function listPrayers(call: Call): Promise<ShownPrayer[]> {
  const access = prayerAccessOf(call)
  if (access === 'none') throw new UserError('prayers-hidden')
  const stored = alias(rsvps, 'kept')
  const kept = db.select({ id: stored.id }).from(stored).where(isNull(stored.deletedAt))
  const sent = await db
    .select({ prayer: prayers, rsvp: rsvps })
    .from(prayers)
    .innerJoin(rsvps, eq(rsvps.id, prayers.rsvpId))
    // What a merge has deleted was not withdrawn, unless the RSVP that it kept was deleted later.
    .where(or(isNull(rsvps.deletedAt), inArray(rsvps.mergedInto, kept)))
    .orderBy(desc(rsvps.serviceDate), desc(prayers.id))
  // Whoever sends the form again may share the same request with fewer people.
  const isRepeated = ({ prayer, rsvp }: (typeof sent)[number], place: number) =>
    sent.slice(0, place).some((other) => other.prayer.text === prayer.text && isSame(other.rsvp, rsvp))
  return sent
    .filter((one, place) => !isRepeated(one, place))
    .filter(({ prayer }) => mayRead(access, prayer.audience))
    .map(({ prayer: { rsvpId: _, ...prayer }, rsvp: { name, serviceDate, ...rsvp } }) => {
      const { phone, email } = access === 'pastor' ? rsvp : { phone: null, email: null }
      return { ...prayer, name, serviceDate, phone, email }
    })
}

/**
 * Says whether someone has prayed, or should visit the household.
 * @throws UserError 'forbidden' for a caller who reads none, 'not-found' for a prayer request that the caller does not
 * see.
 */
export async function changePrayer(input: unknown, call: Call) {
  const { id, ...change } = parseInput(prayerChange, input)
  return transaction(async (tx): Promise<ShownPrayer> => {
    const before = (await listPrayers(call)).find((prayer) => prayer.id === id)
    if (before === undefined) throw new UserError('no-such-prayer')
    const isPrayed = before.prayedAt !== null
    const { prayed = isPrayed, toVisit = before.toVisit } = change
    if (prayed === isPrayed && toVisit === before.toVisit) return before
    const prayedAt = prayed ? (before.prayedAt ?? call.now.toISOString()) : null
    await tx.update(prayers).set({ prayedAt, toVisit }).where(eq(prayers.id, id))
    await audit(tx, call, 'prayer request changed', `${id} prayed=${prayed} toVisit=${toVisit}`)
    return { ...before, prayedAt, toVisit }
  })
}

/** For how long the site tries to send a prayer request. */
const SENT_DAYS = 3

export type GivenPrayer = { prayer?: string | undefined; prayerAudience?: Audience | undefined }

/**
 * Stores the prayer request of an RSVP in place of the one before, and tells those who may read it; without a text there
 * is none.
 */
export async function storePrayer(tx: Transaction, rsvpId: number, given: GivenPrayer, call: Call): Promise<void> {
  const { prayer: text, prayerAudience: audience = 'pastor' } = given
  const [before] = await tx.select().from(prayers).where(eq(prayers.rsvpId, rsvpId))
  if (before !== undefined && before.text !== text) {
    const merged = tx.select({ id: rsvps.id }).from(rsvps).where(eq(rsvps.mergedInto, rsvpId))
    await tx.delete(prayers).where(and(inArray(prayers.rsvpId, merged), eq(prayers.text, before.text)))
  }
  if (text === undefined) {
    await tx.delete(prayers).where(eq(prayers.rsvpId, rsvpId))
    return
  }
  // No one has prayed for another text.
  const prayedAt = before?.text === text ? before.prayedAt : null
  const [stored] = await tx
    .insert(prayers)
    .values({ rsvpId, text, audience, createdAt: call.now.toISOString() })
    .onConflictDoUpdate({ target: prayers.rsvpId, set: { text, audience, prayedAt } })
    .returning()
  const [rsvp] = await tx.select({ suspicion: rsvps.suspicion }).from(rsvps).where(eq(rsvps.id, rsvpId))
  if (call.sendsMail !== true || stored === undefined || rsvp?.suspicion !== null) return
  const times = { dueAt: call.now.toISOString(), endsAt: daysBefore(call.now, -SENT_DAYS) }
  const about = { kind: 'prayer' as const, prayerId: stored.id, ...times }
  const readers = (await listRecipients('prayers')).filter((reader) => mayRead(reader.prayers, audience))
  // Those that were queued before are not queued again.
  const mails = readers.map(({ id }) => ({ ...about, key: `prayer ${stored.id} ${id}`, administratorId: id }))
  await queueMail(tx, mails, call.now)
}
