import { rm } from 'node:fs/promises'
import { millisecondsInDay } from 'date-fns/constants'
import { openedDatabase } from '#db/storage/client.ts'
import { writeCopy } from './copy.ts'
import { keptName, listBackups, listKeptBeforePurge, momentOf } from './names.ts'
import { copyPlaceOf } from './safeguards.ts'

/** How long a copy from before a purge is kept, in ms: what it holds was to be forgotten. As long as 14 backups. */
const KEPT_FOR = 14 * millisecondsInDay

/** Whether a folder has a backup of the last 24 hours: whatever is due by the calendar was in it already. */
export async function hasFreshBackup(folder: string, now: Date): Promise<boolean> {
  return (await listBackups(folder)).some((file) => isFresh(momentOf(file), now))
}

/**
 * Keeps a copy beside the database where nobody makes backups; one of the last 24 hours will do. Older ones stay for their
 * time: what the purge of the day before took is in them alone.
 */
export async function keepCopyBeforePurge(url: string, now: Date): Promise<void> {
  const place = await copyPlaceOf(url)
  if ((await listKeptBeforePurge(place)).some(({ moment }) => isFresh(moment, now))) return
  await writeCopy(openedDatabase(), keptName(place, 'purge', now))
}

/** Removes those copies in time. Call it while the clock is believed. */
export async function forgetCopiesBeforePurge(url: string, now: Date): Promise<void> {
  for (const { file, moment } of await listKeptBeforePurge(await copyPlaceOf(url))) {
    if (now.getTime() - moment.getTime() > KEPT_FOR) await rm(file, { force: true })
  }
}

function isFresh(moment: Date, now: Date): boolean {
  return moment <= now && now.getTime() - moment.getTime() < millisecondsInDay
}
