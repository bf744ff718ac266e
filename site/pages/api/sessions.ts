import { endOtherSessions } from '#db/access/sessions.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const DELETE = endpoint('DELETE /api/sessions', (_, call) => endOtherSessions(call))
