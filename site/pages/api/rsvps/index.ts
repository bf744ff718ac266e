import { listRsvps } from '#db/rsvp/operations.ts'
import { endpoint } from '#site/server/endpoint.ts'
import { answerRsvps, filterOf } from '#site/server/rsvp-stream.ts'

export const GET = endpoint(listRsvps, { access: 'either', input: filterOf, answer: answerRsvps })
export const HEAD = GET
