import { dirname } from 'node:path'
import type { Config } from '#db/config/config.ts'
import { fileOf } from '#db/config/database-url.ts'
import { listOwnAbandoned } from '#db/unfinished.ts'
import type { Context } from '../context.ts'
import type { Finding } from './finding.ts'

/**
 * Files of exports and backups that were cut off by a kill, with everybody's answers in them. Looked for where one would
 * be: this folder, that of the database and that of the backups. Where else somebody exported to, nobody has noted.
 */
export async function examineLeftovers({ backupFolder, databaseUrl }: Config, { io }: Context): Promise<Finding[]> {
  const file = fileOf(databaseUrl)
  const folders = new Set([io.cwd(), ...(file ? [dirname(file)] : []), ...(backupFolder ? [backupFolder] : [])])
  const found = (await Promise.all([...folders].map(listOwnAbandoned))).flat()
  if (found.length === 0) return []
  const text = `What was cut off holds people's answers. The next export or backup to its folder removes it: ${found.join(', ')}`
  return [{ name: 'Leftovers', ok: false, text }]
}
