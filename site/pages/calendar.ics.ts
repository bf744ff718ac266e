import type { APIRoute } from 'astro'
import { writeCalendar } from '#db/calendar/ics.ts'
import { getCalendarSeries } from '#db/calendar/operations.ts'
import { shareLink } from '#site/lib/share-links.ts'
import { errorReply } from '#site/server/calls/json-call.ts'

/** The series to subscribe to or to download; with `?date=` the service of that day alone. */
export const GET: APIRoute = async ({ locals, routePattern, url }) => {
  try {
    const date = url.searchParams.get('date') ?? undefined
    const series = await getCalendarSeries({ date }, locals.call)
    const file = writeCalendar(series, shareLink(locals.origin), locals.call.now, date)
    return new Response(file, {
      headers: {
        'content-type': 'text/calendar; charset=utf-8',
        // Not an attachment: an iPhone would save the file instead of showing what is in it.
        'content-disposition': 'inline; filename="service.ics"',
      },
    })
  } catch (error) {
    const { body, ...head } = errorReply(error, routePattern)
    return new Response(body, head)
  }
}
