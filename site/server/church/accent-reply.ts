import type { APIContext } from 'astro'
import { UserError } from '#db/errors.ts'
import { errorReply } from '#site/server/calls/json-call.ts'
import { accentStyles } from './accent.ts'
import { accentAddress } from './accent-address.ts'
import { unchangingReply } from './unchanging-reply.ts'

/** Replies with the styles that the address names. Nothing is read for it. */
export function replyWithAccent({ params, request, url, routePattern }: APIContext): Response {
  const digits = /^([\da-f]{6})-/.exec(params.accent ?? '')?.[1]
  const styles = digits === undefined ? undefined : accentStyles(`#${digits}`)
  if (styles === undefined || accentAddress(`#${digits}`, styles) !== url.pathname) {
    const error = new UserError('not-found', 'There is no such style sheet. Load the page again.')
    const { body, ...head } = errorReply(error, routePattern)
    return new Response(body, head)
  }
  return unchangingReply(request, styles, 'text/css; charset=utf-8', `"${params.accent}"`)
}
