import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { quoteForShell } from '#db/config/places.ts'
import type { Finding } from './finding.ts'

/** Whether only the account of the site can read the database. Where this account may not look, opening it says so. */
export async function examinePermissions(file: string): Promise<Finding[]> {
  const name = 'Permissions'
  const found = await stat(file).catch(() => undefined)
  if (found === undefined) return []
  const text = (await troubleWithOwner(file, found)) ?? troubleWithMode(file, found)
  return [{ name, ok: text === undefined, text: text ?? 'only this account can read the database' }]
}

type Found = Awaited<ReturnType<typeof stat>>

/** Root can use every file, also one that the account of the site cannot. */
async function troubleWithOwner(file: string, { uid }: Found): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const folder = await stat(dirname(file))
  if (folder.uid === uid) return undefined
  const todo = `chown ${folder.uid}:${folder.gid} ${quoteForShell(file)}`
  return `The database belongs to another account than its folder: run \`${todo}\` if the site runs as that one.`
}

/** A folder that others may open is no fault where the file in it is private. */
function troubleWithMode(file: string, found: Found): string | undefined {
  if (!found.isFile() || process.platform === 'win32' || (Number(found.mode) & 0o077) === 0) return undefined
  return `Other accounts can read the database: run \`chmod 600 ${quoteForShell(file)}\`.`
}
