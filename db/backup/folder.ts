import { access, constants, mkdir, stat } from 'node:fs/promises'

/**
 * Makes the folder for backups, if it is not there yet; not the one that it lies in, which may be a disk that is away.
 * Answers what is wrong with it, as a sentence.
 */
export async function troubleWithFolder(folder: string): Promise<string | undefined> {
  try {
    await mkdir(folder, { mode: 0o700 })
    return undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    if (code !== 'EEXIST') return `The folder ${folder} for backups cannot be made (${code}): make it, or name another.`
  }
  if (!(await stat(folder)).isDirectory()) return `${folder} is a file, not a folder for backups: name another.`
  const isWritable = await access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  return isWritable ? undefined : `This account may not write backups into ${folder}: name another, or allow it.`
}
