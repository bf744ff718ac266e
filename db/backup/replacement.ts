import { copyFile, link, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { UserError } from '../errors.ts'
import { syncFile, syncFolder } from '../local-file.ts'
import { keepWritersAway, type Release } from '../locks.ts'
import { JOURNAL } from './unfinished.ts'

/** Puts a copy in the place of a database, in one step; what was there until now gets another name, if it is kept. */
export async function replaceDatabase(
  target: string,
  { copy, kept }: { copy: string; kept: string | undefined },
): Promise<void> {
  await syncFile(copy)
  // Nobody is in the midst of a write then: the next one finds that the file is another one.
  const release = kept === undefined ? undefined : await keepWritersAwayIfPossible(target)
  try {
    if (kept !== undefined) await keep(target, kept)
    // What a transaction left that was cut off belongs to the old file. In the new one it would be damage.
    await moveJournal(target, kept)
    await rename(copy, target)
    await syncFolder(dirname(target))
  } finally {
    await release?.()
  }
}

/** A database that is damaged or none any more is replaced all the same. */
async function keepWritersAwayIfPossible(target: string): Promise<Release | undefined> {
  try {
    return await keepWritersAway(target)
  } catch (error) {
    if (error instanceof UserError && error.code !== 'busy') return undefined
    throw error
  }
}

/** A second name: so there is no moment without a database. Not every file system knows that. */
async function keep(target: string, kept: string): Promise<void> {
  try {
    await link(target, kept)
  } catch {
    await copyFile(target, kept)
    await syncFile(kept)
  }
}

async function moveJournal(target: string, kept: string | undefined): Promise<void> {
  const { size } = await stat(target + JOURNAL).catch(() => ({ size: 0 }))
  if (size > 0) await rename(target + JOURNAL, (kept ?? `${target}.without-database`) + JOURNAL)
}
