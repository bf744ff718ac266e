import { recordAct } from '#db/audit.ts'
import { openCopy } from '#db/backup/create.ts'
import { backupName } from '#db/backup/names.ts'
import { readConfig } from '#db/config/config.ts'
import { endpoint, streamed } from '#site/server/calls/endpoint.ts'

/** Sends a copy of the database, which ends with its connection. */
export const POST = endpoint('POST /api/backups/download', async (_, call, context) => {
  const name = backupName(call.now)
  const file = await openCopy(readConfig().databaseUrl)
  const bytes = file.createReadStream()
  await recordAct({ action: 'backup downloaded', subject: name }, call).catch((error) => {
    bytes.destroy()
    throw error
  })
  const { reply } = context.locals
  reply.once('close', () => bytes.destroy())
  if (reply.destroyed) bytes.destroy()
  return streamed(bytes, context, {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${name}"`,
  })
})
