import { exportAudit } from '#db/access/audit-log.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { csvReply } from '#site/server/calls/rsvp-stream.ts'

export const GET = endpoint('GET /api/audit/download', exportAudit, {
  respond: (csv, context) => csvReply(csv, `audit-${context.locals.call.now.toISOString().slice(0, 10)}.csv`, context),
})
