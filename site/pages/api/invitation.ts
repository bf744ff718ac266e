import type { APIContext } from 'astro'
import { acceptInvitation } from '#db/access/joining.ts'
import { sentKey, setSessionCookies } from '#site/server/access/cookies.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { browserOf, goOrShow, readCredential } from '#site/server/calls/sign-in.ts'

export const POST = endpoint(
  'POST /api/invitation',
  async (input, call, context) => {
    setSessionCookies(context, await acceptInvitation({ ...input, ...browserOf(context) }, call))
  },
  replyToForm,
)

async function replyToForm(context: APIContext): Promise<Response> {
  const fields = new URLSearchParams(await context.request.text())
  const sent = { ...readCredential(fields), key: sentKey('/invitation', context) ?? '', ...browserOf(context) }
  const page = { address: '/invitation', next: '/admin' }
  return goOrShow(context, fields, page, async () =>
    setSessionCookies(context, await acceptInvitation(sent, context.locals.call)),
  )
}
