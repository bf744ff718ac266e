import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const BACKUP = /^rsvp-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z\.db$/
/** What `momentName` returns. */
const MOMENT = /^(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3}Z)$/

/** The file name of a backup, e.g. `rsvp-2026-11-21T02-30-00.000Z.db`; in UTC, so that names sort by age. */
export function backupName(moment: Date): string {
  return `rsvp-${momentName(moment)}.db`
}

export function isBackupName(name: string): boolean {
  return BACKUP.test(name)
}

/** The moment at which a backup was made, from its name. */
export function momentOf(backup: string): Date {
  return momentNamed(backup.slice(-'2026-11-21T02-30-00.000Z.db'.length, -'.db'.length))
}

/** The path of a copy kept beside a database before a large change, e.g. `rsvp.db.before-restore-2026-11-21T…`. */
export function keptCopyName(file: string, reason: 'restore' | 'update' | 'purge', moment: Date): string {
  return `${file}.before-${reason}-${momentName(moment)}`
}

/** The copies beside a database from before purges, the newest first, with the moment at which each was made. */
export async function listPrePurgeCopies(file: string): Promise<{ file: string; moment: Date }[]> {
  const start = `${basename(file)}.before-purge-`
  const names = await readdir(dirname(file)).catch(() => [])
  return names
    .filter((name) => name.startsWith(start) && MOMENT.test(name.slice(start.length)))
    .sort()
    .reverse()
    .map((name) => ({ file: join(dirname(file), name), moment: momentNamed(name.slice(start.length)) }))
}

/** The backups in a folder, the newest first; other files are ignored. Empty if the folder does not exist. */
export async function listBackups(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names
    .filter(isBackupName)
    .sort()
    .reverse()
    .map((name) => join(folder, name))
}

/**
 * The newest backup. One from the future, made while the clock was ahead, counts only if there is no other: it would stay
 * the newest for a long time.
 */
export function newestOf(backups: string[], now: Date): string | undefined {
  const newestFirst = backups.toSorted((a, b) => momentOf(b).getTime() - momentOf(a).getTime())
  return newestFirst.find((file) => momentOf(file) <= now) ?? newestFirst[0]
}

function momentNamed(name: string): Date {
  const [, day, hour, minute, second] = MOMENT.exec(name) ?? []
  return new Date(`${day}${hour}:${minute}:${second}`)
}

/** Without colons, which some file systems do not allow. */
function momentName(moment: Date): string {
  return moment.toISOString().replaceAll(':', '-')
}
