import type { APIRoute } from 'astro'
import { UserError } from '#db/errors.ts'
import { accentAddress, accentStyles } from '#site/server/church/church.ts'
import { problemResponse } from '#site/server/problem.ts'
import { unchangingReply } from '#site/server/unchanging-reply.ts'

/** The styles of an accent, computed from its color in the address: nothing is read. */
export const GET: APIRoute = ({ params, request, url }) => {
  const digits = /^([\da-f]{6})-/.exec(params.accent ?? '')?.[1]
  const styles = digits === undefined ? undefined : accentStyles(`#${digits}`)
  if (styles === undefined || accentAddress(`#${digits}`, styles) !== url.pathname) {
    return problemResponse(new UserError('not-found', 'There is no such style sheet. Load the page again.'))
  }
  return unchangingReply(request, styles, 'text/css; charset=utf-8', `"${params.accent}"`)
}
