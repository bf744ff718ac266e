import { dirname } from 'node:path'
import type { Config } from '#db/config/config.ts'
import { fileOf } from '#db/config/places.ts'
import { listOwnAbandoned } from '#db/process/files.ts'
import type { Context } from '../context.ts'
import type { Finding } from './finding.ts'

/**
 * Unfinished files of exports and backups that were killed; they contain responses. Looks in the current folder and in the
 * folders of the database and of the backups: other folders that were exported to are not recorded.
 */
export async function examineLeftovers({ backupFolder, databaseUrl }: Config, { io }: Context): Promise<Finding[]> {
  const file = fileOf(databaseUrl)
  const folders = new Set([io.cwd(), ...(file ? [dirname(file)] : []), ...(backupFolder ? [backupFolder] : [])])
  const found = (await Promise.all([...folders].map(listOwnAbandoned))).flat()
  if (found.length === 0) return []
  const text = `Unfinished files hold responses. The next export or backup to their folder removes them: ${found.join(', ')}`
  return [{ name: 'Leftovers', ok: false, text }]
}
