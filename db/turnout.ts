import { and, asc, between, eq, isNull, lt } from 'drizzle-orm'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { auditEntries } from '#db/tables/access.ts'
import { schedules, turnouts } from '#db/tables/invitation.ts'
import { rsvps } from '#db/tables/rsvp.ts'
import { addDays, fullDayText } from '#db/values/dates.ts'
import { UserError } from '#db/values/errors.ts'
import { type ChangedTurnout, type Service, turnoutChange } from '#db/values/schedule.ts'
import { currentService, lastServiceDay, serviceOn } from '#db/values/services.ts'
import { dayIn } from '#db/values/time-zone.ts'
import { audit } from './audit.ts'
import { type Call, parseInput } from './call.ts'
import { readSchedule } from './schedule.ts'

/** `countedAt` is when the number was stored, ISO 8601 in UTC. */
export type Turnout = typeof turnouts.$inferSelect

/** How many people came to the service on a day; null if no one counted them. */
export async function getTurnout(date: string): Promise<number | null> {
  const [found] = await db.select().from(turnouts).where(eq(turnouts.date, date))
  return found?.people ?? null
}

/** The services from one day to another that were counted, the earliest first. */
export async function listTurnouts(from: string, until: string): Promise<Turnout[]> {
  const isBetween = between(turnouts.date, from, until)
  return db.select().from(turnouts).where(isBetween).orderBy(asc(turnouts.date))
}

/** The day of the last service for which someone was expected, until its turnout is recorded or skipped. */
export async function findUncountedService({ now }: Call): Promise<string | undefined> {
  const schedule = await readSchedule()
  if (!schedule.confirmed) return undefined
  const date = lastServiceDay(schedule, now)
  if (date === schedule.uncountedService || (await getTurnout(date)) !== null) return undefined
  return (await wasExpected(serviceOn(schedule, date))) ? date : undefined
}

/**
 * The service that lists and numbers are about if no week is named: the last one for three days after its end, until it
 * is counted or the next one begins, then the next one. Undefined, for all of them, until the schedule is confirmed.
 */
export async function getDefaultWeek(call: Call): Promise<string | undefined> {
  const schedule = await readSchedule()
  if (!schedule.confirmed) return undefined
  const next = currentService(schedule, call.now)
  const uncounted = await findUncountedService(call)
  if (uncounted === undefined) return next.date
  // By the clock of the church, even if it changes meanwhile.
  const { endsAt } = serviceOn(schedule, addDays(uncounted, 3))
  return [endsAt, next.startsAt].every((moment) => call.now.toISOString() < moment) ? uncounted : next.date
}

/**
 * Stores how many people came to a service, from the beginning of its day on, or removes the number, e.g. a mistyped
 * one. If there is none to remove, administrators are no longer asked for it.
 * @throws UserError 'invalid' for a future day.
 */
export async function changeTurnout(input: unknown, call: Call) {
  const { date, turnout: people } = parseInput(turnoutChange, input)
  return transaction(async (tx): Promise<ChangedTurnout> => {
    if (people === null) {
      const removed = await tx.delete(turnouts).where(eq(turnouts.date, date)).returning({ date: turnouts.date })
      if (removed.length > 0) await audit(tx, call, 'turnout removed', date)
      else await stopAsking(tx, date, call)
      return { date, turnout: null, countedAt: null }
    }
    if (date > dayIn((await readSchedule()).timeZone, call.now))
      throw new UserError(
        'invalid',
        `The service on ${fullDayText(date)} is still to come. Count the people on its day or afterwards.`,
      ).at('date')
    const counted = { people, countedAt: call.now.toISOString() }
    await tx
      .insert(turnouts)
      .values({ date, ...counted })
      .onConflictDoUpdate({ target: turnouts.date, set: counted })
    await audit(tx, call, 'turnout counted', `${date} ${people}`)
    return { date, turnout: people, countedAt: counted.countedAt }
  })
}

async function stopAsking(tx: Transaction, date: string, call: Call): Promise<void> {
  if (date !== (await findUncountedService(call))) return
  await tx.update(schedules).set({ uncountedService: date })
  await audit(tx, call, 'turnout skipped', date)
}

/** Whether someone responded for a service, or its sheet was printed. */
async function wasExpected({ date, endsAt }: Service): Promise<boolean> {
  if ((await db.$count(rsvps, and(eq(rsvps.serviceDate, date), isNull(rsvps.deletedAt)))) > 0) return true
  const { action, subject, at } = auditEntries
  // Later, the sheet is opened to enter how many came.
  const isPrint = and(eq(action, 'responses printed'), eq(subject, date), lt(at, endsAt))
  return (await db.$count(auditEntries, isPrint)) > 0
}
