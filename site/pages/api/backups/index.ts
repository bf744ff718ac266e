import { getBackups, makeBackup } from '#site/server/calls/backups.ts'
import { endpointWithoutInput } from '#site/server/calls/endpoint.ts'

export const GET = endpointWithoutInput('GET /api/backups', getBackups, {})
export const POST = endpointWithoutInput('POST /api/backups', makeBackup, {})
