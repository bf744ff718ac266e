import { createWriteStream } from 'node:fs'
import { type FileHandle, link, open, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { UserError } from '#db/errors.ts'
import { makePrivateFile, syncFile, syncFolder } from '#db/process/new-file.ts'
import { JOURNAL, lacksHardLinks, withTemporaryFile } from '#db/process/unfinished.ts'
import { acquireWriteLock, type Release } from '#db/storage/locks.ts'

/** Replaces a database with a copy, atomically; the previous file gets the name `kept`, if there is one. */
export async function replaceDatabase(
  target: string,
  { copy, kept }: { copy: string; kept: string | undefined },
): Promise<void> {
  await syncFile(copy)
  // No write is under way then; the next one notices that the file was replaced.
  const release = kept === undefined ? undefined : await acquireWriteLockIfPossible(target)
  let reading: FileHandle | undefined
  try {
    if (kept !== undefined) reading = await keepUnderSecondName(target, kept)
    // The journal of an interrupted transaction belongs to the old file; it would damage the new one.
    await moveJournal(target, kept)
    await rename(copy, target)
    await syncFolder(dirname(target))
  } finally {
    await reading?.close()
    await release?.()
  }
}

/** A file that is damaged or not a database is replaced all the same. */
async function acquireWriteLockIfPossible(target: string): Promise<Release | undefined> {
  try {
    return await acquireWriteLock(target)
  } catch (error) {
    if (error instanceof UserError && error.code === 'damaged') return undefined
    throw error
  }
}

/**
 * Gives the database a second name with a hard link, so that it exists at every moment; a copy if the file system has no
 * hard links. The file descriptor of a copy stays open, because closing it would release every lock of this process on
 * the file.
 */
async function keepUnderSecondName(target: string, kept: string): Promise<FileHandle | undefined> {
  try {
    await link(target, kept)
    return undefined
  } catch (error) {
    if (!lacksHardLinks(error)) throw error
  }
  const reading = await open(target, 'r')
  await withTemporaryFile(kept, async (temporary) => {
    await makePrivateFile(temporary)
    await pipeline(reading.createReadStream({ autoClose: false, start: 0 }), createWriteStream(temporary))
    await syncFile(temporary)
    await rename(temporary, kept)
  })
  return reading
}

async function moveJournal(target: string, kept: string | undefined): Promise<void> {
  const { size } = await stat(target + JOURNAL).catch(() => ({ size: 0 }))
  if (size > 0) await rename(target + JOURNAL, (kept ?? `${target}.without-database`) + JOURNAL)
}
