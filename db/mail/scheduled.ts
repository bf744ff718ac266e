import { addDays as addDaysTo } from 'date-fns/addDays'
import { subDays } from 'date-fns/subDays'
import { and, asc, eq, inArray, isNull, lte, ne } from 'drizzle-orm'
import type { Call } from '#db/operation.ts'
import { listSuperseded } from '#db/rsvp/duplicates.ts'
import { isLive } from '#db/rsvp/search.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import { currentService } from '#db/schedule/services.ts'
import { ASK_DAYS, QUIET_DAYS } from '#db/standing/schema.ts'
import { standingRsvps } from '#db/standing/table.ts'
import { db, transaction } from '#db/storage/client.ts'
import { addDays } from '#db/values/dates.ts'
import { dayIn, momentOf } from '#db/values/time-zone.ts'
import { listNews, listRecipients } from './administrators.ts'
import { type NewMail, queueMail } from './queue.ts'
import { mailQueue, mailState } from './table.ts'

/** In the time zone of the schedule: the first two on the day before the service, the digest each day. */
const REMINDER_TIME = '10:00'
const SHEET_TIME = '17:00'
const DIGEST_TIME = '18:00'
/** Whoever sends RSVPs with the address of another person, who may then get them each week, can cause no more. */
const REMINDERS_PER_ADDRESS = 3

/**
 * Queues what is due by date: reminders, sheets, digests and the question to households that have not been heard of.
 * Only reads unless something is due. What was missed is not made up for after its time: a service that has begun, a
 * digest of another day, and what was due before a backup was restored, because it may have been sent then.
 */
export async function queueScheduledMail({ now, sendsMail }: Call): Promise<void> {
  if (sendsMail !== true || (await listDue(now)).length === 0) return
  await transaction(async (tx) => {
    const mails = await listDue(now)
    await queueMail(tx, mails, now)
    const asked = mails.flatMap(({ standingId }) => standingId ?? [])
    await tx.update(standingRsvps).set({ askedAt: now.toISOString() }).where(inArray(standingRsvps.id, asked))
  })
}

async function listDue(now: Date): Promise<NewMail[]> {
  const schedule = await readSchedule()
  const { date, startsAt } = currentService(schedule, now)
  const [state] = await db.select({ restoredAt: mailState.restoredAt }).from(mailState)
  const at = (day: string, time: string) => momentOf(schedule.timeZone, day, time).toISOString()
  const isDue = ({ dueAt, endsAt }: Pick<NewMail, 'dueAt' | 'endsAt'>) =>
    dueAt <= now.toISOString() && now.toISOString() < endsAt && dueAt >= (state?.restoredAt ?? '')

  const due: NewMail[] = (await listToAsk(now)).filter(isDue)
  const reminder = { kind: 'reminder' as const, dueAt: at(addDays(date, -1), REMINDER_TIME), endsAt: startsAt }
  if (isDue(reminder)) {
    for (const { id, language } of await listToRemind(date, reminder.dueAt))
      due.push({ ...reminder, key: `reminder ${id} ${date}`, rsvpId: id, language })
  }
  const sheet = { kind: 'sheet' as const, dueAt: at(addDays(date, -1), SHEET_TIME), endsAt: startsAt }
  if (isDue(sheet)) {
    for (const { id } of await listRecipients('sheet'))
      due.push({ ...sheet, key: `sheet ${date} ${id}`, administratorId: id })
  }
  const today = dayIn(schedule.timeZone, now)
  const digest = { kind: 'digest' as const, dueAt: at(today, DIGEST_TIME), endsAt: at(addDays(today, 1), DIGEST_TIME) }
  if (isDue(digest)) {
    for (const { id } of await listRecipients('digest'))
      if ((await listNews(id, digest.dueAt)).length > 0)
        due.push({ ...digest, key: `digest ${today} ${id}`, administratorId: id })
  }
  const keys = due.map(({ key }) => key)
  const known = await db.select({ key: mailQueue.key }).from(mailQueue).where(inArray(mailQueue.key, keys))
  return due.filter(({ key }) => known.every((other) => other.key !== key))
}

/** Not those who have sent or changed their RSVP since the moment of the reminder: they know what they have just said. */
async function listToRemind(date: string, dueAt: string) {
  const { id, email, language, createdAt, changedAt, linkHash } = rsvps
  const isReminded = and(eq(rsvps.serviceDate, date), isLive, rsvps.remind, rsvps.attending, isNull(rsvps.suspicion))
  const wanted = await db
    .select({ id, email, language, createdAt, changedAt, linkHash })
    .from(rsvps)
    .where(and(isReminded, ne(email, '')))
    .orderBy(asc(id))
  const superseded = wanted.length === 0 ? [] : await listSuperseded(date)
  const counts = new Map<string, number>()
  return wanted.filter((rsvp) => {
    // Those written from a standing RSVP may only just be, because the site was down.
    const saidAt = rsvp.changedAt ?? (rsvp.linkHash === null ? '' : rsvp.createdAt)
    if (saidAt >= dueAt || superseded.includes(rsvp.id)) return false
    const address = rsvp.email.toLowerCase()
    const count = (counts.get(address) ?? 0) + 1
    counts.set(address, count)
    return count <= REMINDERS_PER_ADDRESS
  })
}

/** For households that come every week and have said nothing for long: once, until they say something. */
async function listToAsk(now: Date) {
  const { id, seenAt, askedAt, language } = standingRsvps
  const isAlive = and(isNull(standingRsvps.endedAt), isNull(standingRsvps.suspicion), ne(standingRsvps.email, ''))
  const silent = await db
    .select({ id, seenAt, askedAt, language })
    .from(standingRsvps)
    .where(and(isAlive, lte(seenAt, subDays(now, ASK_DAYS).toISOString())))
  return silent
    .filter((household) => household.askedAt === null || household.askedAt < household.seenAt)
    .map((household) => ({
      ...{ kind: 'still-coming' as const, standingId: household.id, language: household.language },
      key: `still-coming ${household.id} ${household.seenAt.slice(0, 10)}`,
      dueAt: addDaysTo(household.seenAt, ASK_DAYS).toISOString(),
      endsAt: addDaysTo(household.seenAt, QUIET_DAYS).toISOString(),
    }))
}
