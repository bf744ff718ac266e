import { and, eq, inArray, isNull, ne } from 'drizzle-orm'
import type { Call } from '#db/operation.ts'
import { isLive } from '#db/rsvp/search.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import { currentService } from '#db/schedule/services.ts'
import { db, transaction } from '#db/storage/client.ts'
import { addDays } from '#db/values/dates.ts'
import { dayIn, momentOf } from '#db/values/time-zone.ts'
import { DIGEST_TIME, listRecipients } from './mailed.ts'
import { type NewMail, queueMail } from './queue.ts'
import { REMINDER_TIME } from './schema.ts'
import { mailQueue, mailState } from './table.ts'

type Times = Pick<NewMail, 'dueAt' | 'endsAt'>

/** In the time zone of the schedule, on the day before the service. */
const SHEET_TIME = '17:00'

/**
 * Queues what is due by date: reminders, sheets and digests.
 * Only reads unless something is due. What was missed is not made up for after its time: a service that has begun, a
 * digest a day later, and what was due before a backup was restored, because it may have been sent then.
 */
export async function queueScheduledMail({ now, sendsMail }: Call): Promise<void> {
  if (sendsMail !== true || (await listDue(now)).length === 0) return
  await transaction(async (tx) => queueMail(tx, await listDue(now), now))
}

async function listDue(now: Date): Promise<NewMail[]> {
  const schedule = await readSchedule()
  const { date, startsAt } = currentService(schedule, now)
  const [state] = await db.select({ restoredAt: mailState.restoredAt }).from(mailState)
  const isDue = ({ dueAt, endsAt }: Times) =>
    dueAt <= now.toISOString() && now.toISOString() < endsAt && dueAt >= (state?.restoredAt ?? '')
  const at = (day: string, time: string) => momentOf(schedule.timeZone, day, time).toISOString()
  // Until the next one is due: the site may be down in the evening.
  const today = dayIn(schedule.timeZone, now)
  const digestDay = at(today, DIGEST_TIME) <= now.toISOString() ? today : addDays(today, -1)
  const reminder = { dueAt: at(addDays(date, -1), REMINDER_TIME), endsAt: startsAt }
  const sheet = { dueAt: at(addDays(date, -1), SHEET_TIME), endsAt: startsAt }
  const digest = { dueAt: at(digestDay, DIGEST_TIME), endsAt: at(addDays(digestDay, 1), DIGEST_TIME) }
  const due = [
    ...(isDue(reminder) ? await listToRemind(date, reminder) : []),
    ...(isDue(sheet) ? await listFor('sheet', date, sheet) : []),
    ...(isDue(digest) ? await listFor('digest', digestDay, digest) : []),
  ]
  const keys = due.map(({ key }) => key)
  const known = await db.select({ key: mailQueue.key }).from(mailQueue).where(inArray(mailQueue.key, keys))
  return due.filter(({ key }) => known.every((other) => other.key !== key))
}

async function listFor(kind: 'sheet' | 'digest', day: string, times: Times): Promise<NewMail[]> {
  return (await listRecipients(kind)).map(({ id }) => ({
    ...times,
    kind,
    key: `${kind} ${day} ${id}`,
    administratorId: id,
  }))
}

/** Not those who have sent or changed their RSVP since the moment of the reminder: they know what they have just said. */
async function listToRemind(date: string, times: Times): Promise<NewMail[]> {
  const { id, email, language, createdAt, changedAt, linkHash } = rsvps
  const isReminded = and(eq(rsvps.serviceDate, date), isLive, rsvps.remind, rsvps.attending, isNull(rsvps.suspicion))
  const wanted = await db
    .select({ id, language, createdAt, changedAt, linkHash })
    .from(rsvps)
    .where(and(isReminded, ne(email, '')))
  return wanted.flatMap(({ id: rsvpId, ...rsvp }) => {
    // Those written from a standing RSVP may only just be, because the site was down.
    const saidAt = rsvp.changedAt ?? (rsvp.linkHash === null ? '' : rsvp.createdAt)
    if (saidAt >= times.dueAt) return []
    const mail = { ...times, kind: 'reminder' as const, key: `reminder ${rsvpId} ${date}`, rsvpId }
    return [{ ...mail, language: rsvp.language }]
  })
}
