import { setTimeout as delay } from 'node:timers/promises'
import { checkBackupFolder, createBackup, getLastBackup } from '#db/backup/create.ts'
import { nextBackup } from '#db/backup/due.ts'
import type { Call } from '#db/call.ts'
import { readConfig } from '#db/config/config.ts'
import { fileOf } from '#db/config/places.ts'
import type { Backups } from '#db/values/backups.ts'
import { UserError } from '#db/values/errors.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { siteCall } from '#site/server/program.ts'

/** Access to a network disk that is gone blocks until the disk is back. */
const FOLDER_TIMEOUT_MS = 5000

export const GET = endpoint('GET /api/backups', (_, call) => getBackups(call))

/** Makes a backup. Older ones stay, so that several in a row replace none. */
export const POST = endpoint('POST /api/backups', async (_, call) => {
  const { backupFolder: folder } = readConfig()
  if (folder === undefined) throw new UserError('no-backup-folder')
  await createBackup({ folder }, call)
  return getBackups(call)
})

async function getBackups({ now }: Call): Promise<Backups> {
  const { backupFolder } = readConfig()
  const unresponsive = `${backupFolder} does not answer: look at its disk, or choose another folder for backups.`
  const { last, trouble } = (await readFolder()) ?? { last: null, trouble: unresponsive }
  const next = nextBackup(last ? new Date(last.at) : undefined, now).toISOString()
  return { folder: backupFolder ?? null, trouble, last, next: backupFolder === undefined ? null : next }
}

let reading: ReturnType<typeof lookIntoFolder> | undefined

/** Reads the folder once at a time: each access to a disk that hangs blocks one of Node's few threads for good. */
function readFolder(): Promise<Awaited<typeof reading>> {
  reading ??= lookIntoFolder().finally(() => {
    reading = undefined
  })
  return Promise.race([reading, delay(FOLDER_TIMEOUT_MS, undefined, { ref: false })])
}

async function lookIntoFolder(): Promise<Pick<Backups, 'last' | 'trouble'>> {
  const { backupFolder: folder, databaseUrl } = readConfig()
  const trouble = (folder === undefined ? undefined : await checkBackupFolder(folder)) ?? null
  const last = await getLastBackup({ folder }, siteCall())
  // A backup of a libSQL server may be on another machine.
  if (last === undefined || !(last.present || fileOf(databaseUrl) === undefined)) return { last: null, trouble }
  const { at, file } = last
  return { last: { at, file }, trouble }
}
