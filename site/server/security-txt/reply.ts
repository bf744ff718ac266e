import type { APIContext } from 'astro'
import { UserError } from '#db/errors.ts'
import { getEventLanguages } from '#db/event/translations.ts'
import { errorReply } from '#site/server/calls/json-call.ts'
import { orNull } from '#site/server/or-null.ts'
import { SECURITY_TXT, writeSecurityTxt } from './text.ts'

const DAY_S = 24 * 60 * 60

/** Replies with the file; 404 where no contact is set. */
export async function replyWithSecurityTxt(context: APIContext): Promise<Response> {
  const { security, call } = context.locals
  if (security.securityContacts.length === 0) return notFound(context)
  // Who finds a weakness must reach someone also while the database is away.
  const church = await orNull(getEventLanguages(call))
  const languages = Array.from(new Set([church?.read.language ?? 'en', 'en']))
  return new Response(writeSecurityTxt({ ...security, languages, now: call.now }), {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': `public, max-age=${DAY_S}` },
  })
}

/** Leads to the file; 404 where no contact is set. */
export function redirectToSecurityTxt(context: APIContext): Response {
  return context.locals.security.securityContacts.length === 0 ? notFound(context) : context.redirect(SECURITY_TXT, 301)
}

function notFound({ routePattern }: APIContext): Response {
  const error = new UserError('not-found', 'This site names no contact. Who runs it can set SECURITY_CONTACT.')
  const { body, ...head } = errorReply(error, routePattern)
  return new Response(body, head)
}
