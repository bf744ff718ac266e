import type { APIContext } from 'astro'
import { getCalendarLinks } from '#db/calendar/operations.ts'
import { shareLink } from '#site/lib/links.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const GET = endpoint('GET /api/calendar', getCalendarLinks, {
  fromHeaders: ({ locals }: APIContext) => ({ page: shareLink(locals.origin) }),
})
