import type { APIContext } from 'astro'
import { recordAct } from '#db/audit/operations.ts'
import { nextBackup } from '#db/backup/due.ts'
import { backupName, madeSubject } from '#db/backup/names.ts'
import { checkBackupFolder, createBackup, getLastBackup, openCopy } from '#db/backup/operations.ts'
import type { Backups } from '#db/backup/schema.ts'
import { readConfig } from '#db/config/config.ts'
import { fileOf } from '#db/config/places.ts'
import { UserError } from '#db/errors.ts'
import { operationWithoutInput } from '#db/operation.ts'
import { siteCall } from '#site/server/site-call.ts'
import { streamed } from './rsvp-stream.ts'

/** The last backup, and the next one. */
export const getBackups = operationWithoutInput(async ({ now }): Promise<Backups> => {
  const { backupFolder } = readConfig()
  const { last, trouble } = await lookIntoFolder()
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
  const { file, responses } = await openCopy(readConfig().databaseUrl)
  const download = { name: backupName(call.now), bytes: file.createReadStream() }
  const subject = madeSubject(download.name, responses)
  await recordAct({ action: 'backup downloaded', subject }, call).catch((error) => {
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

async function lookIntoFolder(): Promise<Pick<Backups, 'last' | 'trouble'>> {
  const { backupFolder: folder, databaseUrl } = readConfig()
  const trouble = (folder === undefined ? undefined : await checkBackupFolder(folder)) ?? null
  const last = await getLastBackup({ folder }, siteCall())
  // A backup of a libSQL server may be on another machine.
  if (last === undefined || !(last.present || fileOf(databaseUrl) === undefined)) return { last: null, trouble }
  const { at, file, responses } = last
  return { last: { at, file, responses }, trouble }
}
