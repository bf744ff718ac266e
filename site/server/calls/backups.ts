import { setTimeout as delay } from 'node:timers/promises'
import type { APIContext } from 'astro'
import { recordAct } from '#db/audit.ts'
import { nextBackup } from '#db/backup/due.ts'
import { backupName } from '#db/backup/names.ts'
import { checkBackupFolder, createBackup, getLastBackup, openCopy } from '#db/backup/operations.ts'
import { operationWithoutInput } from '#db/call.ts'
import { readConfig } from '#db/config/config.ts'
import { fileOf } from '#db/config/places.ts'
import type { Backups } from '#db/values/backups.ts'
import { UserError } from '#db/values/errors.ts'
import { asOperation, siteCall } from '#site/server/site-call.ts'
import { streamed } from './rsvp-stream.ts'

/** A network disk that is gone blocks every access until it is back. */
const FOLDER_TIMEOUT_MS = 5000

let looking: ReturnType<typeof lookIntoFolder> | undefined

/** The last backup, and the next one. */
export const getBackups = operationWithoutInput(async ({ now }): Promise<Backups> => {
  const { backupFolder } = readConfig()
  const unresponsive = `${backupFolder} does not answer: look at its disk, or choose another folder for backups.`
  const { last, trouble } = (await readFolder()) ?? { last: null, trouble: unresponsive }
  const next = nextBackup(last ? new Date(last.at) : undefined, now).toISOString()
  return { folder: backupFolder ?? null, trouble, last, next: backupFolder === undefined ? null : next }
})

/** Makes a backup. Older ones stay, so that several in a row replace none. */
export const makeBackup = operationWithoutInput(async (call): Promise<Backups> => {
  const { backupFolder: folder } = readConfig()
  if (folder === undefined) {
    throw new UserError('no-backup-folder')
  }
  await createBackup({ folder }, call)
  return getBackups(call)
})

/** Opens a copy of the database for a download. */
export const openDownload = operationWithoutInput(async (call) => {
  const file = await openCopy(readConfig().databaseUrl)
  const download = { name: backupName(call.now), bytes: file.createReadStream() }
  await recordAct({ action: 'backup downloaded', subject: download.name }, call).catch((error) => {
    download.bytes.destroy()
    throw error
  })
  return download
})

/** Ends with its connection. */
export function replyWithDownload(
  { name, bytes }: Awaited<ReturnType<typeof openDownload>>,
  context: APIContext,
): Response {
  const { reply } = context.locals
  reply.once('close', () => bytes.destroy())
  if (reply.destroyed) bytes.destroy()
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield* bytes
  }
  const headers = { 'content-disposition': `attachment; filename="${name}"` }
  return streamed(chunks(), context, { type: 'application/octet-stream', headers })
}

/** One at a time: each access to a disk that hangs blocks one of Node's few threads for good. */
function readFolder(): Promise<Awaited<typeof looking>> {
  looking ??= asOperation(lookIntoFolder).finally(() => {
    looking = undefined
  })
  return Promise.race([looking, delay(FOLDER_TIMEOUT_MS, undefined, { ref: false })])
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
