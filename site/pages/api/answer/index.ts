import { changeOwnRsvp, getOwnRsvp, withdrawOwnRsvp } from '#db/private-link/operations.ts'
import type { OwnRevision } from '#db/private-link/schema.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { replyToOwnForm } from '#site/server/calls/form-posts.ts'
import { entityTag, linkedRsvpHeaders, linkOf } from '#site/server/calls/request-headers.ts'

const reply = ({ rsvp, revision }: OwnRevision) => ({ json: rsvp, headers: { etag: entityTag(revision) } })

export const GET = endpoint('GET /api/answer', getOwnRsvp, { input: linkOf, reply })
export const PATCH = endpoint('PATCH /api/answer', changeOwnRsvp, { fromHeaders: linkedRsvpHeaders, reply })
export const DELETE = endpoint('DELETE /api/answer', withdrawOwnRsvp, { input: linkOf })
export const POST = endpoint('POST /api/answer', changeOwnRsvp, {
  fromHeaders: linkedRsvpHeaders,
  form: replyToOwnForm,
  reply,
})
