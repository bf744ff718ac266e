import { recordAct } from '#db/audit.ts'
import { csvDocument, exportFileName } from '#db/rsvp/csv.ts'
import { listRsvps, responsesFrom } from '#db/rsvp/list.ts'
import { separatorFor } from '#db/values/csv.ts'
import { endpoint, filterOf, streamed } from '#site/server/calls/endpoint.ts'

export const GET = endpoint('GET /api/rsvps/download', async (_, call, context) => {
  const filter = filterOf(context)
  const first = await listRsvps(filter, call)
  await recordAct({ action: 'responses exported' }, call)
  const { week, ...others } = filter
  const held = { week: week || undefined, isSelection: Object.values(others).some((value) => value !== '') }
  const name = await exportFileName(call.now, 'csv', held)
  return streamed(csvDocument(responsesFrom(first, call), { separator: separatorFor(call.language) }), context, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}"`,
  })
})
