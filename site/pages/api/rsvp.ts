import { submitRsvp } from '#db/rsvp/submit.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { withLink } from '#site/server/calls/private-link.ts'
import { rsvpHeaders } from '#site/server/calls/request-headers.ts'
import { replyToForm } from '#site/server/calls/rsvp-form-post.ts'

export const POST = endpoint('POST /api/rsvp', submitRsvp, {
  fromHeaders: rsvpHeaders,
  form: replyToForm,
  reply: (submitted, { locals }) => ({ json: withLink(submitted, locals.origin) }),
})
