import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const BACKUP = /^rsvp-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z\.db$/
/** As `momentName` writes it. */
const MOMENT = /^(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3}Z)$/

/** What a backup is called, as in `rsvp-2026-11-21T02-30-00.000Z.db`: in UTC, so that names sort by their age. */
export function backupName(moment: Date): string {
  return `rsvp-${momentName(moment)}.db`
}

/** When a backup was made, by its name. */
export function momentOf(backup: string): Date {
  return momentNamed(backup.slice(-'2026-11-21T02-30-00.000Z.db'.length, -'.db'.length))
}

/** What is kept beside a database before it is changed as a whole, as in `rsvp.db.before-restore-2026-11-21T…`. */
export function keptName(file: string, reason: 'restore' | 'update' | 'purge', moment: Date): string {
  return `${file}.before-${reason}-${momentName(moment)}`
}

/** What is kept beside a database from before a purge, the newest first, with the moment it was kept. */
export async function listKeptBeforePurge(file: string): Promise<{ file: string; moment: Date }[]> {
  const start = `${basename(file)}.before-purge-`
  const names = await readdir(dirname(file)).catch(() => [])
  return names
    .filter((name) => name.startsWith(start) && MOMENT.test(name.slice(start.length)))
    .sort()
    .reverse()
    .map((name) => ({ file: join(dirname(file), name), moment: momentNamed(name.slice(start.length)) }))
}

/** The backups in a folder, the newest first; none where there is no such folder. Other files do not count. */
export async function listBackups(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names
    .filter((name) => BACKUP.test(name))
    .sort()
    .reverse()
    .map((name) => join(folder, name))
}

/**
 * Which of them was made last. One from the future, made while the clock was ahead, would be the last for as long: it
 * counts only where there is no other.
 */
export function newestOf(backups: string[], now: Date): string | undefined {
  const newestFirst = backups.toSorted((a, b) => momentOf(b).getTime() - momentOf(a).getTime())
  return newestFirst.find((file) => momentOf(file) <= now) ?? newestFirst[0]
}

function momentNamed(name: string): Date {
  const [, day, hour, minute, second] = MOMENT.exec(name) ?? []
  return new Date(`${day}${hour}:${minute}:${second}`)
}

/** Without colons, which some file systems do not know. */
function momentName(moment: Date): string {
  return moment.toISOString().replaceAll(':', '-')
}
