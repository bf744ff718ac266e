import { listRsvps } from '#db/rsvp/operations.ts'
import { endpoint, onlyAllow } from '#site/server/endpoint.ts'
import { answerCsv } from '#site/server/rsvp-stream.ts'

export const GET = endpoint(listRsvps, { access: 'administrator', answer: answerCsv })
export const HEAD = GET
export const ALL = onlyAllow('GET, HEAD')
