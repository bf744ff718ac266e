import type { APIRoute } from 'astro'
import { writeCalendar } from '#db/calendar/ics.ts'
import { getCalendarSeries, googleLink } from '#db/calendar/operations.ts'
import { shareLink } from '#site/lib/links.ts'

/** The series, to subscribe to or download; `?date=` is one service, `&to=google` redirects to Google Calendar. */
export const GET: APIRoute = async ({ locals, redirect, url }) => {
  const date = url.searchParams.get('date') ?? undefined
  const series = await getCalendarSeries({ date }, locals.call)
  const page = shareLink(locals.origin)
  if (url.searchParams.get('to') === 'google') return redirect(googleLink(series, page, locals.call.now, date), 303)
  return new Response(writeCalendar(series, page, date), {
    headers: {
      'content-type': 'text/calendar; charset=utf-8',
      // Not an attachment: an iPhone would save the file instead of showing what is in it.
      'content-disposition': 'inline; filename="service.ics"',
    },
  })
}
