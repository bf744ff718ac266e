import type { APIRoute } from 'astro'
import { submitRsvp } from '#db/rsvp/submission/submission.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { isForm } from '#site/server/calls/media-type.ts'
import { rsvpHeaders } from '#site/server/calls/request-headers.ts'
import { answerForm } from '#site/server/calls/rsvp-form-post.ts'

const answerJson = endpoint(submitRsvp, { access: 'guest', also: rsvpHeaders, status: 201 })

/** JSON from the browser's script, or an ordinary form where there is none. */
export const POST: APIRoute = (context) => (isForm(context.request) ? answerForm(context) : answerJson(context))
