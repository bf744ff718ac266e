import { changeSettings, getSettings } from '#db/settings/operations.ts'
import { endpoint, endpointWithoutInput } from '#site/server/calls/endpoint.ts'
import { checkedSettings } from '#site/server/calls/settings.ts'

export const GET = endpointWithoutInput('GET /api/settings', getSettings, {})
export const PATCH = endpoint('PATCH /api/settings', changeSettings, { input: checkedSettings })
