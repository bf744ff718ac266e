import { submitRsvp } from '#db/rsvp/submit/submit-rsvp.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { rsvpHeaders } from '#site/server/calls/request-headers.ts'
import { replyToForm } from '#site/server/calls/rsvp-form-post.ts'

export const POST = endpoint('POST /api/rsvp', submitRsvp, { fromHeaders: rsvpHeaders, form: replyToForm })
