import type { APIRoute } from 'astro'
import { writeOwnServices } from '#db/calendar/ics.ts'
import { getCalendarSeries } from '#db/calendar/series.ts'
import { getOwnCalendar } from '#db/rsvp/own-standing.ts'
import { shareLink } from '#site/lib/links.ts'
import { inLanguage } from '#site/server/language.ts'
import { listText } from '#site/texts/dates.ts'
import { roleName, t } from '#site/texts/texts.ts'

/** The calendar of a household that comes every week, for anyone who has its address. */
export const GET: APIRoute = async ({ locals, params }) => {
  const { series, weeks, language } = await getOwnCalendar({ token: params.token }, locals.call, () =>
    getCalendarSeries({}, locals.call),
  )
  const file = await inLanguage(language ?? locals.language, () => {
    const services = weeks.map(({ date: day, names, roles }) => {
      const coming = t('Coming: {names}', { names: listText(names) })
      const help = roles.length > 0 ? [t('You help with: {roles}', { roles: listText(roles.map(roleName)) })] : []
      return { day, details: [coming, ...help] }
    })
    return writeOwnServices(series, shareLink(locals.origin), services)
  })
  const name = 'inline; filename="our-weeks.ics"'
  return new Response(file, {
    headers: { 'content-type': 'text/calendar; charset=utf-8', 'content-disposition': name },
  })
}
