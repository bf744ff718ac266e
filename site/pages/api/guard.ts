import type { APIContext } from 'astro'
import { guardSite } from '#db/access/joining.ts'
import type { Call } from '#db/call.ts'
import { setSessionCookies } from '#site/server/access/cookies.ts'
import { browserOf, goOrShow, readCredential } from '#site/server/access/sign-in.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const POST = endpoint('POST /api/guard', guardAndSignIn, replyToForm)

async function guardAndSignIn(input: object, call: Call, context: APIContext): Promise<void> {
  const isHere = context.locals.isHere?.() ?? false
  setSessionCookies(context, await guardSite({ ...input, ...browserOf(context), isHere }, call))
}

function replyToForm(fields: URLSearchParams, context: APIContext): Promise<Response> {
  const sent = { ...Object.fromEntries(fields), ...readCredential(fields) }
  const page = { address: '/guard', next: '/admin' }
  return goOrShow(context, fields, page, () => guardAndSignIn(sent, context.locals.call, context))
}
