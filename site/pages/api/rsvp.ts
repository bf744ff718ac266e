import { randomUUID } from 'node:crypto'
import type { APIContext } from 'astro'
import { createRsvp, submitRsvp } from '#db/rsvp/submit.ts'
import { createThanksMark, THANKS_TTL_MS } from '#db/rsvp/thanks.ts'
import { isOutage } from '#db/values/errors.ts'
import { toRsvpInput } from '#site/lib/rsvp-draft.ts'
import { linkCookies, thanksCookie } from '#site/server/access/cookies.ts'
import { endpoint, rsvpHeaders } from '#site/server/calls/endpoint.ts'
import { replyOrShow } from '#site/server/calls/rsvp-form.ts'
import { t } from '#site/texts/texts.ts'

/** The field with the time at which the page was rendered, in ms since 1970. */
const DRAWN_AT = 'drawnAt'

export const POST = endpoint(
  'POST /api/rsvp',
  async (input, call, { request, locals }) => {
    const { linkSecret, ...reply } = await submitRsvp({ ...input, ...rsvpHeaders(request) }, call)
    return { ...reply, link: linkSecret && `${locals.origin}/answer?key=${linkSecret}` }
  },
  replyToForm,
)

/** Replies to a form posted without JavaScript with a redirect to the page, which shows a thank-you. */
async function replyToForm(fields: URLSearchParams, context: APIContext): Promise<Response> {
  const page = fields.get('page') === '/' ? '/' : '/share'
  const { locals } = context
  const { call } = locals
  return replyOrShow(context, {
    fields,
    page,
    async store(draft, action) {
      if (action !== null) return undefined
      const sent = { ...toRsvpInput(draft), idempotencyKey: keyOf(fields), formAge: ageOf(fields, call.now) }
      const { id, linkSecret } = await createRsvp(sent, call)
      const reply = context.redirect(`${page}?thanks=${await createThanksMark({ id }, call)}#rsvp-title`, 303)
      if (linkSecret === undefined) return reply
      const seconds = THANKS_TTL_MS / 1000
      const cookies = [
        thanksCookie(linkSecret, page, locals, seconds),
        ...linkCookies('/answer', linkSecret, locals, seconds),
      ]
      for (const cookie of cookies) reply.headers.append('set-cookie', cookie)
      return reply
    },
    afterOutage: () => t('Everything you typed is still here. If it fails again, tell the church office.'),
    refused: (error, todo) => ({
      notice: `${t('Failed to submit RSVP. Please try again.')} ${todo}`,
      // After an outage the RSVP may be stored, so the form must send the same key again.
      formKey: isOutage(error) ? formKeyOf(fields) : undefined,
    }),
  })
}

function ageOf(fields: URLSearchParams, now: Date): number | undefined {
  const drawnAt = fields.get(DRAWN_AT) ?? ''
  return /^\d{13}$/.test(drawnAt) ? now.getTime() - Number(drawnAt) : undefined
}

/**
 * The same form from the same page is a second press of the button, not a second RSVP. The blank separates this key
 * from every key in a header; only a keyed hash of it is stored.
 */
function keyOf(fields: URLSearchParams): string {
  const typed = new URLSearchParams(Array.from(fields).filter(([name]) => name !== DRAWN_AT))
  // Without the key of a page of ours, the same fields are a new RSVP each time.
  if (formKeyOf(fields) === undefined) typed.set('formKey', randomUUID())
  return `form ${typed}`
}

/** The random key of the rendered page; undefined if the form does not come from a page of ours. */
function formKeyOf(fields: URLSearchParams): string | undefined {
  const formKey = fields.get('formKey') ?? ''
  return /^[\da-f-]{36}$/.test(formKey) ? formKey : undefined
}
