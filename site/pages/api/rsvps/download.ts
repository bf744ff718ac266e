import { listRsvps } from '#db/rsvp/operations.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { answerCsv, filterOf } from '#site/server/calls/rsvp-stream.ts'

export const GET = endpoint(listRsvps, { access: 'administrator', input: filterOf, answer: answerCsv })
export const HEAD = GET
