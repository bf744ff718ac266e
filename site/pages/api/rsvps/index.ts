import { listRsvps } from '#db/rsvp/operations.ts'
import { endpoint } from '#site/server/endpoint.ts'
import { answerRsvps } from '#site/server/rsvp-stream.ts'

export const GET = endpoint(listRsvps, { access: 'guest', answer: answerRsvps })
export const HEAD = GET
