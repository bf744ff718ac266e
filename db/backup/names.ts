import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { StoredCounts } from './copy.ts'

/** ISO 8601 in UTC, so that names sort by age, but without colons, which some file systems do not allow. */
const MOMENT = '\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\d\\.\\d{3}Z'
const MOMENT_ALONE = new RegExp(`^${MOMENT}$`)
const BACKUP = new RegExp(`^rsvp-${MOMENT}\\.db$`)
const COPY = new RegExp(`^(rsvp-(${MOMENT})\\.(\\d+)-(\\d+)-(\\d+))(?:\\.([\\da-f]{32}))?\\.db\\.age$`)
/** The end of the name of a backup, or of a copy kept beside a database. */
const MOMENT_AT_END = new RegExp(`(${MOMENT})(?:\\.db)?$`)

/** The file name of a backup, e.g. `rsvp-2026-11-21T02-30-00.000Z.db`. */
export function backupName(moment: Date): string {
  return `rsvp-${momentName(moment)}.db`
}

export function isBackupName(name: string): boolean {
  return BACKUP.test(name)
}

/** The path of a copy kept beside a database before a large change, e.g. `rsvp.db.before-restore-2026-11-21T…`. */
export function keptCopyName(file: string, reason: 'restore' | 'update' | 'purge', moment: Date): string {
  return `${file}.before-${reason}-${momentName(moment)}`
}

/** The moment in the name of a backup, or of a copy beside a database. */
export function momentOfBackup(file: string): Date {
  return momentNamed(MOMENT_AT_END.exec(file)?.[1])
}

/** The copies beside a database from before purges, the newest first; no copies of those, which no one may remove. */
export function listPrePurgeCopies(file: string): Promise<string[]> {
  const start = `${basename(file)}.before-purge-`
  return listNamed(dirname(file), (name) => name.startsWith(start) && MOMENT_ALONE.test(name.slice(start.length)))
}

/** The backups in a folder, the newest first; other files are ignored. Empty if the folder does not exist. */
export function listBackups(folder: string): Promise<string[]> {
  return listNamed(folder, isBackupName)
}

async function listNamed(folder: string, isMeant: (name: string) => boolean): Promise<string[]> {
  const names = (await readdir(folder).catch(() => [])).filter(isMeant)
  return names.sort((one, other) => (one < other ? 1 : -1)).map((name) => join(folder, name))
}

/** The newest backup. One from the future, made while the clock was ahead, counts only if there is no other. */
export function newestOf(backups: string[], now: Date): string | undefined {
  return newest(backups, momentOfBackup, now)
}

function newest<Item>(items: Item[], momentOf: (item: Item) => Date, now: Date): Item | undefined {
  const newestFirst = items.toSorted((one, other) => momentOf(other).getTime() - momentOf(one).getTime())
  return newestFirst.find((item) => momentOf(item) <= now) ?? newestFirst[0]
}

/** rsync's temporary files, which remain if the machine there loses power. */
const UNFINISHED = /^\.(rsvp-.+\.db\.age)\.\w{6}$/

/** A file at a place: a copy, or any other. */
export type StoredCopy = { name: string; bytes: number }

/**
 * The name of a copy. It contains the counts, so that a new server that knows nothing else can check the copy. The mark
 * proves the name: see proof.ts.
 */
export function copyName(beginning: string, mark: string): string {
  return `${beginning}.${mark}.db.age`
}

/** The name before the mark: the moment and the counts. */
export function beginningOf(backup: string, { responses, rows, latest }: StoredCounts): string {
  return `${basename(backup, '.db')}.${responses}-${rows}-${latest}`
}

/** A copy as its name describes it: the moment of the backup, its counts, and the mark that proves the beginning. */
type NamedCopy = { name: string; moment: Date; counts: StoredCounts; beginning: string; mark: string | undefined }

/** Undefined for the name of another file. */
export function readCopyName(name: string): NamedCopy | undefined {
  const [, beginning, moment, responses, rows, latest, mark] = COPY.exec(name) ?? []
  return beginning === undefined
    ? undefined
    : { name, beginning, mark, moment: momentNamed(moment), counts: countsFrom([responses, rows, latest]) }
}

/** Whether a file is an unfinished older copy. That of the same or a newer one may still be in transfer. */
export function isLeftOver(name: string, sent: string): boolean {
  const copy = UNFINISHED.exec(name)?.[1]
  return copy !== undefined && COPY.test(copy) && copy < sent
}

/** Our copies, the newest first; other files are ignored. */
export function sortedCopies(found: StoredCopy[]): (StoredCopy & NamedCopy)[] {
  const copies = found.flatMap((file) => {
    const named = readCopyName(file.name)
    return named === undefined ? [] : [{ ...file, ...named }]
  })
  return copies.sort((one, other) => (one.name < other.name ? 1 : -1))
}

/** As with backups, one from the future counts only if there is no other. */
export function newestCopy(found: StoredCopy[], now: Date): NamedCopy | undefined {
  return newest(sortedCopies(found), ({ moment }) => moment, now)
}

// The audit records the file and the counts of a backup.

const MADE = /^(.*) \(responses (\d+), with deleted ones (\d+), latest id (\d+)\)$/s

export function madeSubject(file: string, { responses, rows, latest }: StoredCounts): string {
  return `${file} (responses ${responses}, with deleted ones ${rows}, latest id ${latest})`
}

/** For a restore the audit records only the file. */
export function readMade(subject: string): { file: string; counts?: StoredCounts } {
  const [, file, ...counts] = MADE.exec(subject) ?? []
  return file === undefined ? { file: subject } : { file, counts: countsFrom(counts) }
}

function countsFrom(texts: (string | undefined)[]): StoredCounts {
  const [responses = 0, rows = 0, latest = 0] = texts.map(Number)
  return { responses, rows, latest }
}

function momentName(moment: Date): string {
  return moment.toISOString().replaceAll(':', '-')
}

function momentNamed(name = ''): Date {
  return new Date(name.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:'))
}
