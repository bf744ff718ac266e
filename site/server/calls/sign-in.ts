import type { APIContext } from 'astro'
import { signIn, signOut } from '#db/access/operations.ts'
import { isOutage, UserError } from '#db/errors.ts'
import { adminTabFrom, POSTER, sheetAddress, viewAddress } from '#site/lib/admin-page.ts'
import { clearSessionCookie, deviceOf, setSessionCookies } from '#site/server/access/cookies.ts'
import { problemOf } from '#site/server/problem.ts'
import { viewFrom } from '#site/server/responses-view.ts'
import { sheetViewFrom } from '#site/server/week/sheet.ts'

/** What a browser keeps of earlier sign-ins, as signing in and out want to know it. */
export function browserOf(context: APIContext) {
  return { token: context.locals.token, device: deviceOf(context) }
}

/** A session that the browser had before is over already. */
export function replyToSignIn(cookies: { token: string; device: string }, context: APIContext): Response {
  setSessionCookies(context, cookies)
  return new Response(null, { status: 204 })
}

export function replyToSignOut(_output: unknown, context: APIContext): Response {
  clearSessionCookie(context)
  return new Response(null, { status: 204 })
}

/** Replies to the forms to sign in and to sign out: on to the next page, or the form again with what is wrong. */
export async function replyToSignInForm(context: APIContext): Promise<Response> {
  const fields = new URLSearchParams(await context.request.text())
  if (fields.get('action') === 'sign-out') return signOutByForm(context)
  try {
    replyToSignIn(
      await signIn({ password: fields.get('password') ?? '', ...browserOf(context) }, context.locals.call),
      context,
    )
    return context.redirect(administrationAddress(viewOf(fields)), 303)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return showForm(context, error, error.fields[0]?.message ?? error.message, viewOf(fields))
  }
}

async function signOutByForm(context: APIContext): Promise<Response> {
  clearSessionCookie(context)
  try {
    await signOut(browserOf(context), context.locals.call)
    return context.redirect('/', 303)
  } catch (error) {
    if (!isOutage(error)) throw error
    return showForm(
      context,
      error,
      'This browser is signed out, but the session is not over yet. Sign in and out again.',
    )
  }
}

/** What the administration was asked to show before it asked for the password. */
function viewOf(fields: URLSearchParams): URLSearchParams {
  return new URLSearchParams(fields.get('view') ?? '')
}

/** Made anew of the pages, tabs and filters that are known, so that it leads to no other page. */
function administrationAddress(view: URLSearchParams): string {
  if (view.get('page') === 'poster') return POSTER
  if (view.get('page') === 'sheet') return sheetAddress(sheetViewFrom(view))
  const tab = adminTabFrom(view)
  return tab === 'responses' ? viewAddress(viewFrom(view)) : `/admin?tab=${tab}`
}

async function showForm(
  context: APIContext,
  error: UserError,
  notice: string,
  view = new URLSearchParams(),
): Promise<Response> {
  const { status, headers } = problemOf(error)
  context.locals.returnedSignIn = { status, notice }
  const page = await context.rewrite(new Request(new URL(`/sign-in?${view}`, context.url)))
  const retryAfter = headers['retry-after']
  if (retryAfter !== undefined) page.headers.set('retry-after', retryAfter)
  return page
}
