import { listBackups, newestOf } from '#db/backup/names.ts'
import type { Context } from '../../context.ts'
import { sendBackup } from '../../database/send-backup.ts'
import { CommandError, exitCodes } from '../../exit-code.ts'
import { printJson } from '../../output/output.ts'

/** Sends a copy of the newest backup to the other place. */
export async function run({ json }: { json?: true }, context: Context): Promise<void> {
  const { backupFolder } = context.readConfig()
  if (backupFolder === undefined) throw new CommandError(exitCodes.configuration, 'Set BACKUP_DIR: backups are there.')
  const newest = newestOf(await listBackups(backupFolder), context.call.now)
  if (newest === undefined) {
    throw new CommandError(exitCodes.notFound, `There is no backup in ${backupFolder}: run \`rsvp backup\`.`)
  }
  await context.openDatabase({ mustExist: true, otherVersion: 'accept' })
  const sent = await sendBackup(newest, context)
  if (json) await printJson(sent, context.io)
}
