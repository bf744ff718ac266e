import { rm } from 'node:fs/promises'
import { millisecondsInDay } from 'date-fns/constants'
import { openedDatabase } from '#db/storage/client.ts'
import { writeCopy } from './copy.ts'
import { keptCopyName, listBackups, listPrePurgeCopies, momentOf } from './names.ts'
import { copyPathFor } from './safeguards.ts'

/** How long a copy from before a purge is kept: as long as 14 nightly backups, because it holds purged responses. */
const COPY_TTL_MS = 14 * millisecondsInDay

/** Whether a folder has a backup of the last 24 hours, which contains everything that is due now. */
export async function hasRecentBackup(folder: string, now: Date): Promise<boolean> {
  return (await listBackups(folder)).some((file) => isRecent(momentOf(file), now))
}

/**
 * Keeps a copy beside the database where no backups are made, unless there is one of the last 24 hours. Older ones stay
 * until they expire, because only they contain what an earlier purge removed.
 */
export async function keepPrePurgeCopy(url: string, now: Date): Promise<void> {
  const place = await copyPathFor(url)
  if ((await listPrePurgeCopies(place)).some(({ moment }) => isRecent(moment, now))) return
  await writeCopy(openedDatabase(), keptCopyName(place, 'purge', now))
}

/** Removes expired copies. Call it only while the clock is trusted. */
export async function removeOldPrePurgeCopies(url: string, now: Date): Promise<void> {
  for (const { file, moment } of await listPrePurgeCopies(await copyPathFor(url))) {
    if (now.getTime() - moment.getTime() > COPY_TTL_MS) await rm(file, { force: true })
  }
}

function isRecent(moment: Date, now: Date): boolean {
  return moment <= now && now.getTime() - moment.getTime() < millisecondsInDay
}
