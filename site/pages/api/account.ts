import { changeAccount, getAccount } from '#db/access/account.ts'
import { endpoint, endpointWithoutInput } from '#site/server/calls/endpoint.ts'

export const GET = endpointWithoutInput('GET /api/account', getAccount, {})
export const PATCH = endpoint('PATCH /api/account', changeAccount, {})
