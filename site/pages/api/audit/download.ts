import { exportAudit } from '#db/access/audit-log.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { encoded, streamed } from '#site/server/calls/rsvp-stream.ts'

export const GET = endpoint('GET /api/audit/download', exportAudit, {
  respond: (csv, context) => {
    const disposition = `attachment; filename="audit-${context.locals.call.now.toISOString().slice(0, 10)}.csv"`
    const headers = { 'content-disposition': disposition }
    return streamed(encoded(csv), context, { type: 'text/csv; charset=utf-8', headers })
  },
})
