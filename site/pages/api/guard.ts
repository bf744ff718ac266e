import type { APIContext } from 'astro'
import { guardSite } from '#db/access/joining.ts'
import { setSessionCookies } from '#site/server/access/cookies.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { browserOf, goOrShow, readCredential } from '#site/server/calls/sign-in.ts'

export const POST = endpoint(
  'POST /api/guard',
  async (input, call, context) => {
    setSessionCookies(context, await guardSite({ ...input, ...guardianOf(context) }, call))
  },
  replyToForm,
)

async function replyToForm(context: APIContext): Promise<Response> {
  const fields = new URLSearchParams(await context.request.text())
  const sent = { ...Object.fromEntries(fields), ...readCredential(fields), ...guardianOf(context) }
  const page = { address: '/guard', next: '/admin' }
  return goOrShow(context, fields, page, async () =>
    setSessionCookies(context, await guardSite(sent, context.locals.call)),
  )
}

/** Who guards an open site, and from where. */
function guardianOf(context: APIContext) {
  return { ...browserOf(context), isHere: context.locals.isHere?.() ?? false }
}
