import { access, constants, lchown, lstat, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCodeOf } from '#db/process/error-code.ts'

/**
 * Creates the backup folder unless it exists, but not its parent, which may be a disk that is not mounted.
 * @param database root gives the folder to the owner of this file, the site's account.
 * @returns what is wrong with the folder, as a sentence.
 */
export async function prepareBackupFolder(folder: string, database?: string): Promise<string | undefined> {
  try {
    await mkdir(folder, { mode: 0o700 })
    await giveToSite(folder, database)
    return undefined
  } catch (error) {
    const code = errorCodeOf(error)
    return code === 'EEXIST' ? findProblem(folder) : cannotBeCreated(folder, code)
  }
}

/** The same without creating anything, which would belong to the account that checks. */
export async function checkBackupFolder(folder: string): Promise<string | undefined> {
  const isThere = await lstat(folder).then(
    () => true,
    () => false,
  )
  if (isThere) return findProblem(folder)
  return access(dirname(folder), constants.W_OK | constants.X_OK).then(
    () => undefined,
    (error) => cannotBeCreated(folder, errorCodeOf(error)),
  )
}

async function giveToSite(folder: string, database: string | undefined): Promise<void> {
  if (process.getuid?.() !== 0 || database === undefined) return
  // The database may be missing for a moment, e.g. during a restore.
  const { uid, gid } = await stat(database).catch(() => stat(dirname(folder)))
  // Not chown: it would follow a link that has replaced the folder.
  await lchown(folder, uid, gid)
}

async function findProblem(folder: string): Promise<string | undefined> {
  try {
    if (!(await stat(folder)).isDirectory())
      return `${folder} is a file, not a folder: choose another folder for backups.`
    await access(folder, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    const code = errorCodeOf(error)
    // A link to a disk that is not mounted exists itself.
    if (code === 'ENOENT')
      return `${folder} is a broken link (${code}): mount its disk again, or choose another folder for backups.`
    return `This account may not write backups into ${folder} (${code}): grant it access, or choose another folder.`
  }
}

function cannotBeCreated(folder: string, code: string): string {
  if (code === 'ENOENT')
    return `There is no folder ${dirname(folder)} in which ${folder} could be made: mount its disk, or create it first.`
  return `The folder ${folder} for backups cannot be created (${code}): create it, or choose another.`
}
