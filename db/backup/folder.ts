import { access, constants, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes the folder for backups, if it is not there yet; not the one that it lies in, which may be a disk that is away.
 * Answers what is wrong with it, as a sentence.
 */
export async function troubleWithFolder(folder: string): Promise<string | undefined> {
  try {
    await mkdir(folder, { mode: 0o700 })
    return undefined
  } catch (error) {
    const code = codeOf(error)
    if (code !== 'EEXIST') return cannotBeMade(folder, code)
  }
  return troubleWithin(folder)
}

/** The same for whoever only looks: nothing is made, which would belong to the account that looks. */
export async function foreseenTroubleWithFolder(folder: string): Promise<string | undefined> {
  if ((await stat(folder).catch(() => undefined)) !== undefined) return troubleWithin(folder)
  return access(dirname(folder), constants.W_OK | constants.X_OK).then(
    () => undefined,
    (error) => cannotBeMade(folder, codeOf(error)),
  )
}

async function troubleWithin(folder: string): Promise<string | undefined> {
  if (!(await stat(folder)).isDirectory()) return `${folder} is a file, not a folder for backups: name another.`
  const isWritable = await access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  return isWritable ? undefined : `This account may not write backups into ${folder}: name another, or allow it.`
}

function cannotBeMade(folder: string, code: string): string {
  return `The folder ${folder} for backups cannot be made (${code}): make it, or name another.`
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}
