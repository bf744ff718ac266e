import { and, eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { getCalendarSeries } from '#db/calendar/operations.ts'
import type { CalendarSeries } from '#db/calendar/schema.ts'
import { UserError } from '#db/errors.ts'
import type { Language } from '#db/language/languages.ts'
import { type Call, operation } from '#db/operation.ts'
import { hashOfLinkSecret } from '#db/rsvp/link-secret.ts'
import { SERVICES_OFFERED } from '#db/schedule/schema.ts'
import { servicesFrom } from '#db/schedule/services.ts'
import { readKeyedHash } from '#db/secret/keyed-hash.ts'
import { standingRsvps } from '#db/standing/table.ts'
import { db } from '#db/storage/client.ts'
import { refuseTooManyGuesses } from './linked.ts'
import { privateLinks } from './table.ts'
import { readWeeks, type Standing, shownWeek } from './weeks.ts'

/** A week in which the household comes. */
type FeedWeek = { date: string; coming: string[]; roles: string[]; changedAt: string | null }

/** `language` is that in which the household reads the site. */
type Feed = { series: CalendarSeries; weeks: FeedWeek[]; language: Language | null }

/**
 * The calendar of a household that comes every week: the services in which it comes and that are not over. After the end
 * it is empty, because programs keep what they have while an address fails, and remove what is gone from a calendar.
 * @throws UserError 'not-found' for a wrong or revoked token, 'too-many' after too many of them from the caller's
 * network.
 */
export const getOwnCalendar = operation(z.object({ token: z.string() }), async ({ token }, call): Promise<Feed> => {
  const [found] = await db
    .select({ standing: standingRsvps })
    .from(privateLinks)
    .innerJoin(standingRsvps, eq(standingRsvps.id, privateLinks.standingId))
    .where(and(eq(privateLinks.hash, hashOfLinkSecret(token)), eq(privateLinks.purpose, 'calendar')))
  if (found === undefined) {
    await refuseTooManyGuesses(call)
    throw new UserError('not-found', 'There is no such calendar. Open your private link to make a new address for it.')
  }
  const { standing } = found
  const series = await getCalendarSeries({}, call)
  const hash = await readKeyedHash()
  const weeks = await readComing(standing, series, call)
  const said = [standing.seenAt, ...weeks.flatMap(({ changedAt }) => changedAt ?? [])]
  const revision = Math.max(series.revision, ...said.map((moment) => Math.floor(Date.parse(moment) / 1000)))
  const own = { ...series, id: hash('calendar', `household ${standing.id}`), revision }
  return { series: own, weeks, language: standing.language }
})

async function readComing(standing: Standing, { schedule }: CalendarSeries, call: Call): Promise<FeedWeek[]> {
  if (standing.endedAt !== null) return []
  // Also the one that is closed, but not over.
  const services = servicesFrom(schedule, call.now).filter(({ date }) => date >= standing.since)
  const weeks = await readWeeks(standing, services.take(SERVICES_OFFERED).toArray(), call)
  return weeks.flatMap((week) => {
    const { date, people, roles } = shownWeek(week)
    if (people === 0) return []
    const { stored } = week
    const coming = [stored, ...stored.familyMembers].filter(({ attending }) => attending).map(({ name }) => name)
    return [{ date, coming, roles, changedAt: stored.changedAt }]
  })
}
