import { inviteAdministrator, listAdministrators } from '#db/access/administrators.ts'
import { endpoint, endpointWithoutInput } from '#site/server/calls/endpoint.ts'
import { withInvitationLink } from '#site/server/calls/invitation-link.ts'

export const GET = endpointWithoutInput('GET /api/administrators', listAdministrators, {})
export const POST = endpoint('POST /api/administrators', inviteAdministrator, { reply: withInvitationLink })
