import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { type FileHandle, lchown, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errorCodeOf, UserError } from '#db/values/errors.ts'

/**
 * Creates the file and its folder, readable by this account only, unless they exist.
 * @param like root gives the new file to the owner of this one if it exists, otherwise to that of the folder.
 */
export async function makePrivateFile(path: string, like = dirname(path)): Promise<void> {
  await makePrivateFolder(dirname(path))
  const made = await open(path, 'wx', 0o600).catch((error) => {
    if (errorCodeOf(error) !== 'EEXIST') throw error
  })
  if (!made) return
  await giveToOwner(made, [like, dirname(path)]).finally(() => made.close())
  await syncFolder(dirname(path))
}

/** Gives a file created by root to the owner of the first of these that exists, so that its account can open it. */
export async function giveToOwner(made: FileHandle, candidates: string[]): Promise<void> {
  if (process.getuid?.() !== 0) return
  for (const path of candidates) {
    const owner = await stat(path).catch(() => undefined)
    if (owner !== undefined) return made.chown(owner.uid, owner.gid).catch(assertUnsupported)
  }
}

/** The name of a file is stored in its folder, so without this a power cut could remove a new file. */
export function syncFolder(folder: string): Promise<void> {
  return syncOpened(folder, 'r').catch(assertUnsupported)
}

/** Waits until everything written is on disk. */
export function syncFile(file: string): Promise<void> {
  return syncOpened(file, 'r+')
}

/** Opens an untrusted path unless it is a pipe or a device, which could block the process for ever. */
export async function openRegularFile(path: string): Promise<FileHandle> {
  if ((await stat(path)).isFile()) return open(path)
  throw new UserError('damaged', `${path} is a pipe, a device or a folder, and not a file. Try another one.`)
}

/** The suffix of SQLite's rollback journal beside a database. */
export const JOURNAL = '-journal'

/** Matches the names of our temporary files, and no others. */
const TEMPORARY = /^\..+\.rsvp-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.tmp(?:-journal)?$/
/** A temporary file counts as abandoned if nothing was written to it for this long, in ms. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000

/**
 * Runs work with a temporary path beside the given file. Whatever is left at that path is removed afterwards, also when
 * the process exits meanwhile.
 */
export async function withTemporaryFile<Output>(
  file: string,
  work: (temporary: string) => Promise<Output>,
): Promise<Output> {
  const temporary = join(dirname(file), `.${basename(file)}.rsvp-${randomUUID()}.tmp`)
  function removeLeftovers(): void {
    try {
      for (const end of ['', JOURNAL]) rmSync(temporary + end, { force: true })
    } catch {
      // The folder is missing or not a folder, so there is nothing to remove.
    }
  }
  process.once('exit', removeLeftovers)
  try {
    return await work(temporary)
  } finally {
    process.off('exit', removeLeftovers)
    removeLeftovers()
  }
}

/** Renames a file unless the name is taken: of two concurrent calls, one fails with EEXIST. */
export async function renameToFree(unfinished: string, file: string): Promise<void> {
  try {
    return await link(unfinished, file)
  } catch (error) {
    // Where hard links are not supported, an empty file reserves the name first.
    assertUnsupported(error)
  }
  await (await open(file, 'wx', 0o600)).close()
  await rename(unfinished, file)
}

/** Ignores an error if the file system cannot do something, e.g. vfat and CIFS hard links; throws any other. */
export function assertUnsupported(error: unknown): void {
  if (!/^(EPERM|EINVAL|ENOTSUP|EOPNOTSUPP|ENOSYS|EMLINK)$/.test(errorCodeOf(error))) throw error
}

/** Removes abandoned temporary files from a folder, because they contain personal data. */
export async function removeAbandoned(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const file of names.map((name) => join(folder, name)))
    if (await isAbandoned(file)) await rm(file, { force: true }).catch(() => {})
}

async function syncOpened(path: string, flags: 'r' | 'r+'): Promise<void> {
  const opened = await open(path, flags)
  await opened.sync().finally(() => opened.close())
}

/** Creates a folder and its parents for this account only; root gives them to the owner of the folder above. */
async function makePrivateFolder(folder: string): Promise<void> {
  const topmost = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (topmost === undefined || process.getuid?.() !== 0) return
  const { uid, gid } = await stat(dirname(topmost))
  // Not with chown, which would follow a link that has replaced the folder.
  for (let made = folder; made.length >= topmost.length; made = dirname(made))
    await lchown(made, uid, gid).catch(assertUnsupported)
}

async function isAbandoned(file: string): Promise<boolean> {
  if (!TEMPORARY.test(basename(file))) return false
  const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }))
  // With abs(), because a file from the future, written while a clock was ahead, would stay until that time.
  return Math.abs(Date.now() - mtimeMs) > ABANDONED_AFTER_MS
}
