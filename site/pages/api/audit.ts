import { getAuditPage } from '#db/audit.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const GET = endpoint('GET /api/audit', getAuditPage)
