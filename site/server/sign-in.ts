import type { APIContext } from 'astro'
import { signIn, signOut } from '#db/access/operations.ts'
import { UserError } from '#db/errors.ts'
import { problemOf } from './problem.ts'
import { clearSessionCookie, sentToken, setSessionCookie } from './session-cookie.ts'

/** The token of the browser's session, if it has one. */
export function tokenOf(context: APIContext): string | undefined {
  return sentToken(context)?.token
}

/** The browser gets its cookie; a session that it had before is over. */
export async function answerSignedIn({ token }: { token: string }, context: APIContext): Promise<Response> {
  await signOut(tokenOf(context), context.locals.call)
  setSessionCookie(context, token)
  return new Response(null, { status: 204 })
}

export function answerSignedOut(_output: unknown, context: APIContext): Response {
  clearSessionCookie(context)
  return new Response(null, { status: 204 })
}

/** Answers the forms to sign in and to sign out: on to the next page, or the form again with what is wrong. */
export async function answerSignInForm(context: APIContext): Promise<Response> {
  const { locals, request, url } = context
  const fields = new URLSearchParams(await request.text())
  try {
    if (fields.get('action') === 'sign-out') {
      answerSignedOut(await signOut(tokenOf(context), locals.call), context)
      return context.redirect('/', 303)
    }
    await answerSignedIn(await signIn({ password: fields.get('password') ?? '' }, locals.call), context)
    return context.redirect('/admin', 303)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const { status, headers } = problemOf(error)
    locals.returnedSignIn = { status, notice: error.fields[0]?.message ?? error.message }
    const page = await context.rewrite(new Request(new URL('/sign-in', url)))
    const retryAfter = headers['retry-after']
    if (retryAfter !== undefined) page.headers.set('retry-after', retryAfter)
    return page
  }
}
