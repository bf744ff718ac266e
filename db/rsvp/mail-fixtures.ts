import { eq } from 'drizzle-orm'
import { type QueuedMail, queueMail } from '#db/mail/queue.ts'
import { db, transaction } from '#db/storage/client.ts'
import { administrators, allowances } from '#db/tables/access.ts'
import { eventTranslations, schedules, skippedDates } from '#db/tables/invitation.ts'
import { mailQueue, mailState, mailStops } from '#db/tables/mail.ts'
import { prayers, privateLinks, rsvps, standingRsvps } from '#db/tables/rsvp.ts'
import type { Audience } from '#db/values/prayer.ts'
import { emptyTables, testCall, testRsvp } from '#testing/database-fixtures.ts'
import { changeSchedule } from './change-schedule.ts'
import { hashOfLinkSecret } from './private-links.ts'
import { createRsvp } from './submit.ts'

const sunday = testCall({ role: 'visitor', actor: 'visitor', language: 'en' })

/** From now on nothing was sent or queued, and services are on Saturdays at ten in Chicago, next on January 11, 2025. */
export async function emptyMail(): Promise<void> {
  await emptyTables(mailQueue, mailState, prayers, privateLinks, rsvps, standingRsvps, administrators)
  await emptyTables(schedules, skippedDates, eventTranslations, allowances, mailStops)
  await changeSchedule({ weekday: 6, startTime: '10:00', timeZone: 'America/Chicago' }, testCall())
}

/** Sends an RSVP that wants a reminder, on January 5 unless `at` says otherwise. No mail is queued unless the site `sendsMail`. */
export function sendRsvp(changes: Record<string, unknown> = {}, at: Date = sunday.now, sendsMail = false) {
  const sent = { ...testRsvp({ remind: true, ...changes }), idempotencyKey: crypto.randomUUID() }
  return createRsvp(sent, { ...sunday, now: at, sendsMail })
}

export async function changeRsvp(id: number, changes: Partial<typeof rsvps.$inferInsert>): Promise<void> {
  await transaction((tx) => tx.update(rsvps).set(changes).where(eq(rsvps.id, id)))
}

/** Changes all standing RSVPs; returns the first. */
export async function changeStanding(changes: Partial<typeof standingRsvps.$inferInsert>) {
  const [first] = await transaction((tx) => tx.update(standingRsvps).set(changes).returning())
  return { standingId: first?.id ?? 0, seenAt: first?.seenAt ?? '' }
}

export async function changeAdministrators(changes: Partial<typeof administrators.$inferInsert>): Promise<void> {
  await transaction((tx) => tx.update(administrators).set(changes))
}

export async function addPrayer(
  audience: Audience,
  name = 'Ana Cole',
  text = 'For Joel,\nwho is ill',
): Promise<number> {
  const { id: rsvpId } = await sendRsvp({ name })
  const prayer = { rsvpId, audience, text, createdAt: sunday.now.toISOString() }
  const [added] = await transaction((tx) => tx.insert(prayers).values(prayer).returning())
  return added?.id ?? 0
}

/** A message about `row`, an hour after the RSVPs were sent. */
export async function addMail(kind: QueuedMail['kind'], row: Partial<QueuedMail>): Promise<QueuedMail> {
  const times = { dueAt: '2025-01-05T15:00:00.000Z', endsAt: '2025-01-11T16:00:00.000Z' }
  const key = row.key ?? `${kind} ${crypto.randomUUID()}`
  await transaction((tx) => queueMail(tx, [{ ...times, ...row, kind, key }], sunday.now))
  const [mail] = await db.select().from(mailQueue).where(eq(mailQueue.key, key))
  if (mail === undefined) throw new Error('Nothing was queued.')
  return mail
}

/** What the private links in a text open. */
export async function targetsOf(text: string) {
  const links = await db.select().from(privateLinks)
  const secrets = Array.from(text.matchAll(/\/answer\?key=([\w-]{22})\s/g), ([, secret = '']) =>
    hashOfLinkSecret(secret),
  )
  return secrets.map((hash) => links.find((link) => link.hash === hash))
}

export async function countLinks(): Promise<number> {
  return db.$count(privateLinks)
}
