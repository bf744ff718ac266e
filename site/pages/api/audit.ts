import { getAuditPage } from '#db/access/audit-log.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const GET = endpoint('GET /api/audit', getAuditPage)
