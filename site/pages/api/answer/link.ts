import type { APIContext } from 'astro'
import { sendLink } from '#db/rsvp/own-rsvp.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { showPage } from '#site/server/calls/rsvp-form.ts'
import { refusalOf } from '#site/server/problem.ts'

export const POST = endpoint('POST /api/answer/link', sendLink, replyToForm)

/** Replies to a visitor who wants their private link by mail: with the page of private links, which says the result. */
async function replyToForm(fields: URLSearchParams, context: APIContext): Promise<Response> {
  const email = fields.get('email') ?? ''
  try {
    await sendLink({ email }, context.locals.call)
    return context.redirect('/answer?sent#reply', 303)
  } catch (error) {
    context.locals.refusedLink = { email, ...refusalOf(error) }
    return showPage(context, '/answer')
  }
}
