import type { APIContext } from 'astro'
import { acceptInvitation } from '#db/access/joining.ts'
import type { Call } from '#db/call.ts'
import { sentKey, setSessionCookies } from '#site/server/access/cookies.ts'
import { browserOf, goOrShow, readCredential } from '#site/server/access/sign-in.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const POST = endpoint('POST /api/invitation', acceptAndSignIn, replyToForm)

async function acceptAndSignIn(input: object, call: Call, context: APIContext): Promise<void> {
  setSessionCookies(context, await acceptInvitation({ ...input, ...browserOf(context) }, call))
}

function replyToForm(fields: URLSearchParams, context: APIContext): Promise<Response> {
  const sent = { ...readCredential(fields), key: sentKey('/invitation', context) ?? '' }
  const page = { address: '/invitation', next: '/admin' }
  return goOrShow(context, fields, page, () => acceptAndSignIn(sent, context.locals.call, context))
}
