import { changeEvent, getEvent } from '#db/event/operations.ts'
import { endpoint } from '#site/server/endpoint.ts'

export const GET = endpoint(getEvent, { access: 'guest' })
export const HEAD = GET
export const POST = endpoint(changeEvent, { access: 'administrator' })
