import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileOf, projectRoot } from '#db/config/places.ts'
import { realPathOf } from '#db/storage/local-file.ts'

/** ISO 8601 in UTC, so that names sort by age, with hyphens for colons, which some file systems do not allow. */
const MOMENT = '\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\d\\.\\d{3}Z'
const MOMENT_ALONE = new RegExp(`^${MOMENT}$`)
const BACKUP = new RegExp(`^rsvp-${MOMENT}\\.db$`)
const MOMENT_AT_END = new RegExp(`(${MOMENT})(?:\\.db)?$`)

/** The file name of a backup, e.g. `rsvp-2026-11-21T02-30-00.000Z.db`. */
export function backupName(moment: Date): string {
  return `rsvp-${momentName(moment)}.db`
}

/** The path of a copy beside a database, made before a large change, e.g. `rsvp.db.before-restore-2026-11-21T…`. */
export function keptCopyName(file: string, reason: 'restore' | 'update' | 'purge', moment: Date): string {
  return `${file}.before-${reason}-${momentName(moment)}`
}

/** The moment in the name of a backup, or of a copy beside a database. */
export function momentOfBackup(file: string): Date {
  const [, name = ''] = MOMENT_AT_END.exec(file) ?? []
  return new Date(name.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:'))
}

/** The pre-purge copies beside a database, newest first. Copies of them have longer names, and are never removed. */
export function listPrePurgeCopies(file: string): Promise<string[]> {
  const start = `${basename(file)}.before-purge-`
  return listNamed(dirname(file), (name) => name.startsWith(start) && MOMENT_ALONE.test(name.slice(start.length)))
}

/** The backups in a folder, newest first; none if the folder does not exist. */
export function listBackups(folder: string): Promise<string[]> {
  return listNamed(folder, (name) => BACKUP.test(name))
}

async function listNamed(folder: string, hasName: (name: string) => boolean): Promise<string[]> {
  const names = (await readdir(folder).catch(() => [])).filter(hasName)
  return names.sort((one, other) => (one < other ? 1 : -1)).map((name) => join(folder, name))
}

/** The newest backup. One from the future, made while the clock was ahead, counts only if there is no other. */
export function newestOf(backups: string[], now: Date): string | undefined {
  const newestFirst = backups.toSorted((one, other) => (basename(one) < basename(other) ? 1 : -1))
  return newestFirst.find((backup) => momentOfBackup(backup) <= now) ?? newestFirst[0]
}

/** Copies of a file go beside it, not beside a link to it; those of a server into the data folder. */
export function copyPathFor(url: string): Promise<string> {
  return realPathOf(fileOf(url) ?? join(projectRoot, 'data', 'rsvp.db'))
}

function momentName(moment: Date): string {
  return moment.toISOString().replaceAll(':', '-')
}
