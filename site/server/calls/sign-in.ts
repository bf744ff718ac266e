import type { APIContext } from 'astro'
import { acceptInvitation, guardSite } from '#db/access/joining.ts'
import { signIn, signOut } from '#db/access/sign-in.ts'
import { UserError } from '#db/values/errors.ts'
import { browserName } from '#site/server/access/browser-name.ts'
import { ceremonyOf } from '#site/server/access/ceremony.ts'
import { clearSessionCookie, DEVICE, keptToken, sentKey, setSessionCookies } from '#site/server/access/cookies.ts'
import { problemOf } from '#site/server/problem.ts'

/** What a browser keeps from earlier sign-ins. */
export function browserOf(context: APIContext) {
  const browser = browserName(context.request.headers.get('user-agent') ?? '')
  return { token: context.locals.token, device: keptToken(DEVICE, context), browser, ceremony: ceremonyOf(context) }
}

/** Who guards an open site, and from where. */
export function guardianOf(context: APIContext) {
  return { ...browserOf(context), isHere: context.locals.isHere?.() ?? false }
}

export function tokenOf({ locals }: APIContext) {
  return { token: locals.token }
}

/** The operation has already ended the browser's previous session. */
export function replyToSignIn(cookies: { token: string; device: string }, context: APIContext): Response {
  setSessionCookies(context, cookies)
  return new Response(null, { status: 204 })
}

export function replyToSignOut(_output: unknown, context: APIContext): Response {
  clearSessionCookie(context)
  return new Response(null, { status: 204 })
}

/** The link is made of the address by which the owner reached the site: the one that others reach it by too. */
export function withInvitationLink({ id, key }: { id: number; key: string }, { locals }: APIContext) {
  return { json: { id, link: `${locals.origin}/invitation?key=${key}` } }
}

/** Replies to the forms to sign in and out: a redirect, or the form again with the error. */
export async function replyToSignInForm(context: APIContext): Promise<Response> {
  const fields = await fieldsOf(context)
  const { call } = context.locals
  if (fields.get('action') === 'sign-out') {
    clearSessionCookie(context)
    return goOrShow(context, fields, { address: '/sign-in', next: '/' }, () => signOut(tokenOf(context), call))
  }
  // The requested page of the administration, which asked for the password first; never one elsewhere.
  const asked = fields.get('next') ?? ''
  const next = /^\/admin([/?]|$)/.test(asked) ? asked : '/admin'
  const sent = { ...readCredential(fields), email: fields.get('email'), ...browserOf(context) }
  const page = { address: `/sign-in?${new URLSearchParams({ next })}`, next }
  return goOrShow(context, fields, page, async () => setSessionCookies(context, await signIn(sent, call)))
}

export async function replyToGuardForm(context: APIContext): Promise<Response> {
  const fields = await fieldsOf(context)
  const sent = { ...Object.fromEntries(fields), ...readCredential(fields), ...guardianOf(context) }
  const page = { address: '/guard', next: '/admin' }
  return goOrShow(context, fields, page, async () =>
    setSessionCookies(context, await guardSite(sent, context.locals.call)),
  )
}

export async function replyToInvitationForm(context: APIContext): Promise<Response> {
  const fields = await fieldsOf(context)
  const sent = { ...readCredential(fields), key: sentKey('/invitation', context) ?? '', ...browserOf(context) }
  const page = { address: '/invitation', next: '/admin' }
  return goOrShow(context, fields, page, async () =>
    setSessionCookies(context, await acceptInvitation(sent, context.locals.call)),
  )
}

async function fieldsOf({ request }: APIContext): Promise<URLSearchParams> {
  return new URLSearchParams(await request.text())
}

/** Goes on to the next page, or shows the form again: each message beside its field, and everything typed but the password. */
async function goOrShow(
  context: APIContext,
  fields: URLSearchParams,
  page: { address: string; next: string },
  act: () => Promise<unknown>,
): Promise<Response> {
  try {
    await act()
    return context.redirect(page.next, 303)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const { status, headers, body } = problemOf(error)
    const { password: _, ...typed } = Object.fromEntries(fields)
    context.locals.returnedSignIn = { status, notice: body.detail, errors: body.errors, typed }
    const cookie = context.request.headers.get('cookie') ?? ''
    const shown = await context.rewrite(new Request(new URL(page.address, context.url), { headers: { cookie } }))
    const retryAfter = headers['retry-after']
    if (retryAfter !== undefined) shown.headers.set('retry-after', retryAfter)
    return shown
  }
}

/** The password in a form, or what the page's script has put there of a passkey. */
function readCredential(fields: URLSearchParams) {
  const passkey = fields.get('passkey')
  if (passkey === null) return { password: fields.get('password') ?? '' }
  return { passkey: parseJson(passkey), passkeyName: fields.get('passkeyName') }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
