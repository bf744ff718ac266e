import { submitRsvp } from '#db/rsvp/submit.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { replyToForm } from '#site/server/calls/form-posts.ts'
import { privateLink, rsvpHeaders } from '#site/server/calls/request-headers.ts'

export const POST = endpoint('POST /api/rsvp', submitRsvp, {
  fromHeaders: rsvpHeaders,
  form: replyToForm,
  reply: ({ linkSecret, ...submitted }, { locals: { origin } }) => ({
    json: linkSecret === undefined ? submitted : { ...submitted, link: privateLink(linkSecret, origin) },
  }),
})
