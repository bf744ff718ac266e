import { reportDamage } from '#db/health/operations.ts'
import { runBackupCommand } from './backup-command.ts'
import { siteCall } from './site-call.ts'

/** Exit code of `rsvp backup` when the database is damaged. */
const EXIT_DAMAGED = 78

/** Makes a backup, and sends no copy of it: that is tried again without making another. Returns whether it was made. */
export async function backUp(folder: string, keep: number, signal: AbortSignal): Promise<boolean> {
  const words = ['--out', folder, '--create-folder', '--keep', String(keep), '--no-copy']
  const ended = await runBackupCommand(words, 'the nightly backup failed', signal)
  if (ended.kind === 'failed' && ended.code === EXIT_DAMAGED && /^The database is damaged/.test(ended.reason)) {
    await reportDamage(siteCall())
  }
  return ended.kind === 'done'
}
