import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { StoredCounts } from './copy.ts'

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
export function momentOfBackup(backup: string): Date {
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
  const newestFirst = backups.toSorted((a, b) => momentOfBackup(b).getTime() - momentOfBackup(a).getTime())
  return newestFirst.find((file) => momentOfBackup(file) <= now) ?? newestFirst[0]
}

const COPY = /^(rsvp-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z)\.(\d+)-(\d+)-(\d+)(?:\.([\da-f]{32}))?\.db\.age$/

/** What rsync writes before it renames; some of it is left when the machine there loses power. */
const UNFINISHED = /^\.(rsvp-.+\.db\.age)\.\w{6}$/

/** An encrypted copy at another place. */
export type StoredCopy = { name: string; bytes: number }

/**
 * The name of the copy of a backup, with what must be in it: how many responses, with the deleted ones, and the highest
 * id. So a new server that knows nothing else can tell whether it is the right one. The mark proves it: see proof.ts.
 */
export function copyName(beginning: string, mark: string): string {
  return `${beginning}.${mark}.db.age`
}

/** What is in the name before the mark: the moment, and the counts. */
export function beginningOf(backup: string, { responses, rows, latest }: StoredCounts): string {
  return `${basename(backup, '.db')}.${responses}-${rows}-${latest}`
}

/** The parts of a name that prove each other. */
export function markedName(copy: string): { beginning: string; mark: string | undefined } {
  return { beginning: beginningOf(backupOf(copy), countsIn(copy)), mark: COPY.exec(copy)?.[5] }
}

export function isCopyName(name: string): boolean {
  return COPY.test(name)
}

export function countsIn(copy: string): StoredCounts {
  const [, , responses, rows, latest] = COPY.exec(copy) ?? []
  return { responses: Number(responses), rows: Number(rows), latest: Number(latest) }
}

/** Whether a file is the unfinished one of an older copy. That of the same or a newer one may be under way. */
export function isLeftOver(name: string, sent: string): boolean {
  const copy = UNFINISHED.exec(name)?.[1]
  return copy !== undefined && isCopyName(copy) && copy < sent
}

/** Copies of ours, the newest first; other files are ignored. */
export function sortedCopies(found: StoredCopy[]): StoredCopy[] {
  return found.filter(({ name }) => isCopyName(name)).toSorted((a, b) => (a.name < b.name ? 1 : -1))
}

/** As with backups, one from the future counts only if there is no other. */
export function newestCopy(copies: StoredCopy[], now: Date): StoredCopy | undefined {
  const newest = newestOf(
    copies.map(({ name }) => backupOf(name)),
    now,
  )
  return copies.find(({ name }) => backupOf(name) === newest)
}

/** When the backup was made. */
export function momentOfCopy(copy: string): Date {
  return momentOfBackup(backupOf(copy))
}

// What the audit keeps of a backup: its file, and what must be in it. Older versions kept the file alone.

const MADE = /^(.*) \(responses (\d+), with deleted ones (\d+), latest id (\d+)\)$/s

export function madeSubject(file: string, { responses, rows, latest }: StoredCounts): string {
  return `${file} (responses ${responses}, with deleted ones ${rows}, latest id ${latest})`
}

export function fileMade(subject: string): string {
  return MADE.exec(subject)?.[1] ?? subject
}

export function countsMade(subject: string): StoredCounts | undefined {
  const [, , responses, rows, latest] = MADE.exec(subject) ?? []
  if (latest === undefined) return undefined
  return { responses: Number(responses), rows: Number(rows), latest: Number(latest) }
}

export function areEqual(one: StoredCounts, other: StoredCounts): boolean {
  return one.responses === other.responses && one.rows === other.rows && one.latest === other.latest
}

function momentNamed(name: string): Date {
  const [, day, hour, minute, second] = MOMENT.exec(name) ?? []
  return new Date(`${day}${hour}:${minute}:${second}`)
}

/** Without colons, which some file systems do not allow. */
function momentName(moment: Date): string {
  return moment.toISOString().replaceAll(':', '-')
}

/** The name of the backup of which it is a copy. */
function backupOf(copy: string): string {
  return `${COPY.exec(copy)?.[1]}.db`
}
