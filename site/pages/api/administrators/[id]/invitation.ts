import { renewInvitation } from '#db/access/administrators.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { withInvitationLink } from '#site/server/calls/invitation-link.ts'

export const POST = endpoint('POST /api/administrators/[id]/invitation', renewInvitation, {
  input: ({ params }) => params,
  reply: withInvitationLink,
})
