import type { APIContext } from 'astro'
import { getAccess } from '#db/access/setup.ts'
import { signIn, signOut } from '#db/access/sign-in.ts'
import type { Call } from '#db/call.ts'
import { clearSessionCookie, setSessionCookies } from '#site/server/access/cookies.ts'
import { browserOf, goOrShow, readCredential } from '#site/server/access/sign-in.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const GET = endpoint('GET /api/session', (_, call) => getAccess(call))

export const POST = endpoint('POST /api/session', signInBrowser, replyToForm)

export const DELETE = endpoint('DELETE /api/session', async (_, call, context) => {
  await signOut({ token: context.locals.token }, call)
  clearSessionCookie(context)
})

/** Signs the browser in. Its previous session ends. */
async function signInBrowser(input: object, call: Call, context: APIContext): Promise<void> {
  setSessionCookies(context, await signIn({ ...input, ...browserOf(context) }, call))
}

/** Replies to the forms to sign in and out: a redirect, or the form again with the error. */
async function replyToForm(fields: URLSearchParams, context: APIContext): Promise<Response> {
  const { call, token } = context.locals
  if (fields.get('action') === 'sign-out') {
    clearSessionCookie(context)
    return goOrShow(context, fields, { address: '/sign-in', next: '/' }, () => signOut({ token }, call))
  }
  // The page that asked for the sign-in. Only pages of the administration, so that no link leads to another site.
  const asked = fields.get('next') ?? ''
  const next = /^\/admin([/?]|$)/.test(asked) ? asked : '/admin'
  const sent = { ...readCredential(fields), email: fields.get('email') }
  const page = { address: `/sign-in?${new URLSearchParams({ next })}`, next }
  return goOrShow(context, fields, page, () => signInBrowser(sent, call, context))
}
