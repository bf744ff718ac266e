import { restoreOwnRsvp } from '#db/private-link/operations.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { linkOf } from '#site/server/calls/request-headers.ts'

export const POST = endpoint('POST /api/answer/restore', restoreOwnRsvp, { input: linkOf })
