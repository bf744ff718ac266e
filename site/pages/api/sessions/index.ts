import { endOwnSessions, listOwnSessions } from '#db/access/sessions.ts'
import { endpointWithoutInput } from '#site/server/calls/endpoint.ts'
import { replyToSignOut } from '#site/server/calls/sign-in.ts'

export const GET = endpointWithoutInput('GET /api/sessions', listOwnSessions, {})
export const DELETE = endpointWithoutInput('DELETE /api/sessions', endOwnSessions, { respond: replyToSignOut })
