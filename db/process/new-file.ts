import { type FileHandle, lchown, mkdir, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCodeOf } from './error-code.ts'

/**
 * Creates the file and its folder, readable by this account only, unless they exist.
 * @param like root gives the new file to the owner of this one if it exists, otherwise to that of the folder.
 */
export async function makePrivateFile(path: string, like = dirname(path)): Promise<void> {
  await makePrivateFolder(dirname(path))
  const made = await openNew(path)
  if (made === undefined) return
  await giveToOwner(made, [like, dirname(path)])
  await made.close()
  await syncFolder(dirname(path))
}

/** Files made by root go to the owner of the first of these that exists: the site's account could not open them otherwise. */
export async function giveToOwner(made: FileHandle, candidates: string[]): Promise<void> {
  if (process.getuid?.() !== 0) return
  for (const path of candidates) {
    const owner = await stat(path).catch(() => undefined)
    if (owner !== undefined) return made.chown(owner.uid, owner.gid)
  }
}

/** A file's name is stored in its folder: without this a power cut could remove a new file. */
export function syncFolder(folder: string): Promise<void> {
  return syncOpened(folder, 'r')
}

/** Waits until everything written is on disk. */
export function syncFile(file: string): Promise<void> {
  return syncOpened(file, 'r+')
}

async function syncOpened(path: string, flags: 'r' | 'r+'): Promise<void> {
  const opened = await open(path, flags)
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}

/** Creates a folder and its parents for this account only; root gives them to the owner of the folder above. */
async function makePrivateFolder(folder: string): Promise<void> {
  const topmost = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (topmost === undefined || process.getuid?.() !== 0) return
  const { uid, gid } = await stat(dirname(topmost))
  for (let made = folder; made.length >= topmost.length; made = dirname(made)) await lchown(made, uid, gid)
}

async function openNew(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'wx', 0o600)
  } catch (error) {
    if (errorCodeOf(error) === 'EEXIST') return undefined
    throw error
  }
}
