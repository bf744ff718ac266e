import type { APIRoute } from 'astro'
import { writeCalendar } from '#db/calendar/ics.ts'
import { getCalendarSeries, googleLink } from '#db/calendar/series.ts'
import { shareLink } from '#site/lib/links.ts'

/** The calendar of all services. `?date=` is one service, `?to=google` redirects to Google Calendar. */
export const GET: APIRoute = async ({ locals, redirect, url }) => {
  const date = url.searchParams.get('date') ?? undefined
  const series = await getCalendarSeries({ date }, locals.call)
  const page = shareLink(locals.origin)
  if (url.searchParams.get('to') === 'google') return redirect(googleLink(series, page, locals.call.now, date), 303)
  return new Response(writeCalendar(series, page, date), {
    headers: {
      'content-type': 'text/calendar; charset=utf-8',
      // An iPhone would save an attachment instead of showing its services.
      'content-disposition': 'inline; filename="service.ics"',
    },
  })
}
