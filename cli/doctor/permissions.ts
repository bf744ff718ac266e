import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCodeOf } from '#db/process/error-code.ts'
import { quoteForShell } from '#db/process/shell.ts'
import type { Finding } from './finding.ts'

/** Whether only the account of the site can read the database, and whether it can. */
export async function examinePermissions(file: string): Promise<Finding> {
  const name = 'Permissions'
  try {
    const found = await stat(file)
    const text = (await troubleWithOwner(file, found)) ?? troubleWithMode(file, found)
    return { name, ok: text === undefined, text: text ?? 'only this account can read the database' }
  } catch (error) {
    const code = errorCodeOf(error)
    // A missing file is another finding.
    if (code === 'ENOENT') return { name, ok: true, text: 'there is no file to look at' }
    return { name, ok: false, text: `This account may not look at ${file} (${code}): use the account of the site.` }
  }
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
  if (found.isDirectory() || process.platform === 'win32' || (Number(found.mode) & 0o077) === 0) return undefined
  return `Other accounts could read the database until now: run \`chmod 600 ${quoteForShell(file)}\`.`
}
