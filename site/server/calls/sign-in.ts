import type { APIContext } from 'astro'
import { UserError } from '#db/values/errors.ts'
import { browserName } from '#site/server/access/browser-name.ts'
import { ceremonyOf } from '#site/server/access/ceremony.ts'
import { DEVICE, keptToken } from '#site/server/access/cookies.ts'
import { problemOf } from '#site/server/problem.ts'

/** What a browser keeps from earlier sign-ins. */
export function browserOf(context: APIContext) {
  const browser = browserName(context.request.headers.get('user-agent') ?? '')
  return { token: context.locals.token, device: keptToken(DEVICE, context), browser, ceremony: ceremonyOf(context) }
}

/** The password in a form, or what the page's script has put there of a passkey. */
export function readCredential(fields: URLSearchParams) {
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

/** Goes on to the next page, or shows the form again: each message beside its field, and everything typed but the password. */
export async function goOrShow(
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
