import { isDrillDue } from '#db/backup/copies/drill-due.ts'
import { findLastSent, findUnsent, getLastDrills } from '#db/backup/copies/history.ts'
import { isBackupDue } from '#db/backup/due.ts'
import { listBackups, momentOf, newestOf } from '#db/backup/names.ts'
import type { Config } from '#db/config/config.ts'
import { backUp } from './back-up.ts'
import { runBackupCommand } from './backup-command.ts'

/** What is done by itself as soon as it is due; `run` returns whether it was done. */
export type Task = { isDue: () => Promise<boolean>; run: () => Promise<boolean>; notBefore: number }

/** What has to be done by itself with these settings, in this order. */
export function backupTasks(
  { backupFolder: folder, backupTime, backupsKept, copies }: Config,
  signal: AbortSignal,
): Task[] {
  const tasks: Task[] = []
  function add(task: Omit<Task, 'notBefore'>): void {
    tasks.push({ ...task, notBefore: 0 })
  }
  if (folder !== undefined) {
    add({ isDue: () => isBackupDueNow(folder, backupTime), run: () => backUp(folder, backupsKept, signal) })
  }
  if (folder !== undefined && copies.place !== undefined) {
    add({
      isDue: async () => (await findUnsent(folder, copies, new Date())) !== undefined,
      run: () => succeeds(['make', '--send-only'], 'no copy of the backup could be sent', signal),
    })
  }
  // Without the identity it is made elsewhere, where that is.
  if (copies.place === undefined ? folder !== undefined : copies.identityFile !== undefined) {
    const hasAny = async () =>
      copies.place === undefined
        ? (await listBackups(folder ?? '')).length > 0
        : (await findLastSent(copies)) !== undefined
    add({
      isDue: async () => isDrillDue((await getLastDrills()).last, new Date()) && (await hasAny()),
      run: () => succeeds(['verify'], 'the restore drill failed', signal),
    })
  }
  return tasks
}

/** Only backups in the folder count, which may be on another disk; one that was written elsewhere does not. */
async function isBackupDueNow(folder: string, time: string): Promise<boolean> {
  const now = new Date()
  const last = newestOf(await listBackups(folder), now)
  return isBackupDue(last === undefined ? undefined : momentOf(last), now, time)
}

async function succeeds(words: string[], failure: string, signal: AbortSignal): Promise<boolean> {
  return (await runBackupCommand(words, failure, signal)).kind === 'done'
}
