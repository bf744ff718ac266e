import type { Stats } from 'node:fs'
import { access, chmod, constants, realpath, stat } from 'node:fs/promises'
import { errorCodeOf, UserError } from '#db/values/errors.ts'
import { assertUnsupported } from './files.ts'

/** @throws UserError 'configuration' if the path is not a file, may not be read, or must exist and does not. */
export async function assertUsable(path: string, mustExist: boolean): Promise<void> {
  const found = await stat(path).catch(errorCodeOf)
  if (found === 'ENOENT' && !mustExist) return
  const code = typeof found === 'string' ? found : await access(path, constants.R_OK).then(() => '', errorCodeOf)
  if (typeof found !== 'string' && !found.isFile())
    throw new UserError('configuration', `${path} is not a file. Check DATABASE_URL.`)
  if (code === '') return
  throw new UserError(
    'configuration',
    code === 'ENOENT'
      ? `There is no database at ${path}. Start the site once, or check DATABASE_URL.`
      : `This account may not open the database at ${path} (${code}). Use the account that runs the site, or check DATABASE_URL.`,
  )
}

/** Resolves links, because locks and journals belong to the file, not to one of its names. */
export function realPathOf(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}

/**
 * Restricts a file to its owner (0600), because a restored copy may be readable by others. Files of other accounts stay as
 * they are, as do files on file systems that are read-only or have no permissions.
 */
export async function restrictToOwner(path: string): Promise<void> {
  const { mode, uid } = await stat(path)
  if ((mode & 0o077) === 0 || uid !== process.getuid?.()) return
  await chmod(path, mode & 0o700).catch((error) => {
    if (error.code !== 'EROFS') assertUnsupported(error)
  })
}

/** Identifies the file at a path: the result changes when another file replaces it. */
export async function identityOf(path: string): Promise<string> {
  return identityFrom(await stat(path))
}

export function identityFrom({ dev, ino }: Stats): string {
  return `${dev}:${ino}`
}

/** Whether two paths point to the same existing file, also through links. */
export async function isSameFile(path: string, otherPath: string): Promise<boolean> {
  const [one, other] = await Promise.all([path, otherPath].map((each) => identityOf(each).catch(() => undefined)))
  return one !== undefined && one === other
}
