import { and, eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { getCalendarSeries } from '#db/calendar/operations.ts'
import { UserError } from '#db/errors.ts'
import { operation } from '#db/operation.ts'
import { hashOfLinkSecret } from '#db/rsvp/link-secret.ts'
import { servicesAhead } from '#db/schedule/services.ts'
import { readKeyedHash } from '#db/secret/keyed-hash.ts'
import { standingRsvps } from '#db/standing/table.ts'
import { db } from '#db/storage/client.ts'
import { peopleOf, readWeeks, shownWeek } from './linked.ts'
import { privateLinks } from './table.ts'

/**
 * The calendar of a household that comes every week: the services in which it comes and that are not over, and the
 * language in which it reads the site. After the end it is empty, because programs keep what they have while an address
 * fails, and remove what is gone from a calendar.
 * @throws UserError 'not-found' for a wrong or revoked token.
 */
export const getOwnCalendar = operation(z.object({ token: z.string() }), async ({ token }, call) => {
  const [found] = await db
    .select({ standing: standingRsvps })
    .from(privateLinks)
    .innerJoin(standingRsvps, eq(standingRsvps.id, privateLinks.standingId))
    .where(and(eq(privateLinks.hash, hashOfLinkSecret(token)), eq(privateLinks.purpose, 'calendar')))
  if (found === undefined)
    throw new UserError('not-found', 'There is no such calendar. Open your private link to make a new address for it.')
  const { id, since, endedAt, seenAt, language } = found.standing
  const series = await getCalendarSeries({}, call)
  const services = endedAt ? [] : servicesAhead(series.schedule, call.now).filter(({ date }) => date >= since)
  const dates = services.map(({ date }) => date)
  const weeks = await readWeeks(found.standing, dates)
  const shown = weeks.map((week) => ({ ...shownWeek(week), names: peopleOf(week).map(({ name }) => name) }))
  const said = [endedAt ?? seenAt, ...weeks.flatMap(({ stored }) => stored.changedAt ?? [])]
  const revision = Math.max(series.revision, ...said.map((moment) => Math.floor(Date.parse(moment) / 1000)))
  const hash = await readKeyedHash()
  return {
    series: { ...series, id: hash('calendar', `household ${id}`), revision },
    weeks: shown.filter(({ people }) => people > 0),
    language,
  }
})
