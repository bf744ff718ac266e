import { changeSettings, getSettings } from '#db/settings/operations.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const GET = endpoint((_query, call) => getSettings(call), { access: 'administrator' })
export const HEAD = GET
export const PATCH = endpoint(changeSettings, { access: 'administrator' })
