import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { StoredCopy } from '#db/backup/names.ts'
import { prepareBackupFolder } from '#db/backup/operations.ts'
import { UserError } from '#db/errors.ts'
import { errorCodeOf } from '#db/process/errors.ts'
import { makePrivateFile, removeAbandoned, syncFile, syncFolder, withTemporaryFile } from '#db/process/files.ts'
import { fullHere, type Place, placeError, type Surroundings, untilSilent } from './place.ts'

/** A folder, best on another disk. */
export function folderPlace(title: string, folder: string, around: Required<Surroundings>): Place {
  async function list(moved: () => void): Promise<StoredCopy[]> {
    const found: StoredCopy[] = []
    for (const name of await namesIn(folder)) {
      const file = await stat(join(folder, name)).catch(() => undefined)
      // Opening a named pipe would wait for its writer.
      if (file?.isFile()) found.push({ name, bytes: file.size })
      moved()
    }
    return found
  }

  async function send(file: string, name: string, moved: () => void): Promise<void> {
    const problem = await prepareBackupFolder(folder, file)
    if (problem !== undefined) throw new UserError('unavailable', problem)
    await removeAbandoned(folder)
    await withTemporaryFile(join(folder, name), async (temporary) => {
      // Run as root, give the folder and the copy to the site's account, which sends the next one.
      await makePrivateFile(temporary, file)
      await copy(file, temporary, moved)
      await syncFile(temporary)
      await rename(temporary, join(folder, name))
    })
    // Some folders, e.g. on a network share, cannot be synced.
    await syncFolder(folder).catch(() => undefined)
  }

  async function copy(from: string, to: string, moved: () => void): Promise<void> {
    await pipeline(createReadStream(from).on('data', moved), createWriteStream(to), { signal: around.signal })
  }

  async function fetch(name: string, file: string, moved: () => void): Promise<void> {
    await copy(join(folder, name), file, moved).catch((error) => {
      throw isFull(error) ? fullHere() : error
    })
  }

  async function at<Output>(work: (moved: () => void) => Promise<Output>): Promise<Output> {
    return untilSilent(title, around, (moved) =>
      work(moved).catch((error) => Promise.reject(folderError(title, error))),
    )
  }

  return {
    title,
    list: () => at(list),
    send: (file, name) => at((moved) => send(file, name, moved)),
    fetch: (name, file) => at((moved) => fetch(name, file, moved)),
    remove: (names) =>
      at(async (moved) => {
        for (const name of names) await rm(join(folder, name), { force: true }).then(moved)
      }),
  }
}

/** Empty if the folder does not exist yet but its parent does. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (errorCodeOf(error) !== 'ENOENT') throw error
    await readdir(dirname(folder))
    return []
  }
}

/** Turns a file system error into a sentence; returns any other error unchanged. */
function folderError(title: string, error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error
  const code = errorCodeOf(error)
  if (isFull(error)) return placeError(title, 'it is full', 'Make room there, then try again.')
  if (code === 'ENOENT') return placeError(title, 'it is not there (ENOENT)', 'Mount its disk, or make the folder.')
  return placeError(title, `the system says ${code}`, 'Grant this account access, then try again.')
}

function isFull(error: unknown): boolean {
  return /^(ENOSPC|EDQUOT)$/.test(errorCodeOf(error))
}
