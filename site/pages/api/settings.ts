import { changeSettings, getSettings } from '#db/settings/operations.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const GET = endpoint(getSettings, { access: 'administrator' })
export const HEAD = GET
export const PATCH = endpoint(changeSettings, { access: 'administrator' })
