import { getMailState } from '#db/mail/operations.ts'
import { endpointWithoutInput } from '#site/server/calls/endpoint.ts'

export const GET = endpointWithoutInput('GET /api/mail', getMailState, {})
