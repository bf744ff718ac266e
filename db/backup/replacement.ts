import { createWriteStream } from 'node:fs'
import { type FileHandle, link, open, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { UserError } from '#db/errors.ts'
import { makePrivateFile, syncFile, syncFolder } from '#db/storage/local-file.ts'
import { keepWritersAway, type Release } from '#db/storage/locks.ts'
import { isWithoutLinks, JOURNAL, withUnfinished } from '#db/unfinished.ts'

/** Puts a copy in the place of a database, in one step; what was there until now gets another name, if it is kept. */
export async function replaceDatabase(
  target: string,
  { copy, kept }: { copy: string; kept: string | undefined },
): Promise<void> {
  await syncFile(copy)
  // Nobody is in the midst of a write then: the next one finds that the file is another one.
  const release = kept === undefined ? undefined : await keepWritersAwayIfPossible(target)
  let reading: FileHandle | undefined
  try {
    if (kept !== undefined) reading = await keep(target, kept)
    // What a transaction left that was cut off belongs to the old file. In the new one it would be damage.
    await moveJournal(target, kept)
    await rename(copy, target)
    await syncFolder(dirname(target))
  } finally {
    await reading?.close()
    await release?.()
  }
}

/** A database that is damaged or none any more is replaced all the same. */
async function keepWritersAwayIfPossible(target: string): Promise<Release | undefined> {
  try {
    return await keepWritersAway(target)
  } catch (error) {
    if (error instanceof UserError && error.code === 'damaged') return undefined
    throw error
  }
}

/**
 * A second name: so there is no moment without a database. Where the file system knows none it is a copy; what that was
 * read from stays open, because closing it would let go of every lock that this process has on the file.
 */
async function keep(target: string, kept: string): Promise<FileHandle | undefined> {
  try {
    await link(target, kept)
    return undefined
  } catch (error) {
    if (!isWithoutLinks(error)) throw error
  }
  const reading = await open(target, 'r')
  await withUnfinished(kept, async (unfinished) => {
    await makePrivateFile(unfinished)
    await pipeline(reading.createReadStream({ autoClose: false, start: 0 }), createWriteStream(unfinished))
    await syncFile(unfinished)
    await rename(unfinished, kept)
  })
  return reading
}

async function moveJournal(target: string, kept: string | undefined): Promise<void> {
  const { size } = await stat(target + JOURNAL).catch(() => ({ size: 0 }))
  if (size > 0) await rename(target + JOURNAL, (kept ?? `${target}.without-database`) + JOURNAL)
}
