import type { APIContext } from 'astro'
import { UserError } from '#db/errors.ts'
import { getEventLanguages } from '#db/event/translations.ts'
import { ifReadable } from './log.ts'
import { problemResponse } from './problem.ts'

const DAY_S = 24 * 60 * 60
const SECURITY_TXT = '/.well-known/security.txt'
/** Less than a year, as RFC 9116 recommends, and always months ahead: the file changes once a month. */
const VALID_MONTHS = 6

type SecurityTxt = App.Locals['security'] & { languages: string[]; now: Date }

/** 404 if no contact is set. */
export async function replyWithSecurityTxt(context: APIContext): Promise<Response> {
  const { security, call } = context.locals
  if (security.securityContacts.length === 0) return notFound()
  // The contacts must be readable even if the database is not.
  const church = await ifReadable(getEventLanguages(call))
  const languages = Array.from(new Set([church?.language ?? 'en', 'en']))
  return new Response(writeSecurityTxt({ ...security, languages, now: call.now }), {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': `public, max-age=${DAY_S}` },
  })
}

export function redirectToSecurityTxt(context: APIContext): Response {
  return context.locals.security.securityContacts.length === 0 ? notFound() : context.redirect(SECURITY_TXT, 301)
}

/**
 * The content of security.txt (RFC 9116).
 * @internal Exported for its test.
 */
export function writeSecurityTxt({ securityContacts, publicUrl, languages, now }: SecurityTxt): string {
  const expires = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + VALID_MONTHS))
  const lines = [
    ...securityContacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${expires.toISOString().replace('.000', '')}`,
    `Preferred-Languages: ${languages.join(', ')}`,
    // The field must be an https address.
    ...(publicUrl?.startsWith('https:') ? [`Canonical: ${publicUrl}${SECURITY_TXT}`] : []),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

function notFound(): Response {
  const error = new UserError('not-found', 'This site has no security contact. Its operator can set SECURITY_CONTACT.')
  return problemResponse(error)
}
