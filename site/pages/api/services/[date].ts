import { changeTurnout } from '#db/turnout.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const PATCH = endpoint('PATCH /api/services/[date]', changeTurnout)
