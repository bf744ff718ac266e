import { openDownload, replyWithDownload } from '#site/server/calls/backups.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const POST = endpoint('POST /api/backups/download', openDownload, { respond: replyWithDownload })
