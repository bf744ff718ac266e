import { listRsvps } from '#db/rsvp/operations.ts'
import { endpoint } from '#site/server/endpoint.ts'
import { answerCsv } from '#site/server/rsvp-stream.ts'

export const GET = endpoint(listRsvps, { access: 'administrator', answer: answerCsv })
export const HEAD = GET
