import { access, constants, lchown, lstat, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes the folder for backups, if it is not there yet; not the one that it lies in, which may be a disk that is away.
 * Answers what is wrong with it, as a sentence.
 * @param database root gives the folder to the account of this file, which is the site's.
 */
export async function troubleWithFolder(folder: string, database?: string): Promise<string | undefined> {
  try {
    await mkdir(folder, { mode: 0o700 })
    await giveToSite(folder, database)
    return undefined
  } catch (error) {
    const code = codeOf(error)
    return code === 'EEXIST' ? troubleWithin(folder) : cannotBeMade(folder, code)
  }
}

/** The same for whoever only looks: nothing is made, which would belong to the account that looks. */
export async function foreseenTroubleWithFolder(folder: string): Promise<string | undefined> {
  const isThere = await lstat(folder).then(
    () => true,
    () => false,
  )
  if (isThere) return troubleWithin(folder)
  return access(dirname(folder), constants.W_OK | constants.X_OK).then(
    () => undefined,
    (error) => cannotBeMade(folder, codeOf(error)),
  )
}

async function giveToSite(folder: string, database: string | undefined): Promise<void> {
  if (process.getuid?.() !== 0 || database === undefined) return
  // A database may be away for a moment, as one that is being put in its place.
  const { uid, gid } = await stat(database).catch(() => stat(dirname(folder)))
  // Not what somebody may have put in its place by now.
  await lchown(folder, uid, gid)
}

async function troubleWithin(folder: string): Promise<string | undefined> {
  try {
    if (!(await stat(folder)).isDirectory()) return `${folder} is a file, not a folder for backups: name another.`
    await access(folder, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    const code = codeOf(error)
    // A link to a disk that is away is there itself.
    if (code === 'ENOENT') return `${folder} leads nowhere (${code}): bring its disk back, or name another.`
    return `This account may not write backups into ${folder} (${code}): name another, or allow it.`
  }
}

function cannotBeMade(folder: string, code: string): string {
  return `The folder ${folder} for backups cannot be made (${code}): make it, or name another.`
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}
