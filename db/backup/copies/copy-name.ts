import { basename } from 'node:path'
import type { StoredCounts } from '../copy.ts'
import { momentOf, newestOf } from '../names.ts'

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

/** The name of the backup of which it is a copy. */
function backupOf(copy: string): string {
  return `${COPY.exec(copy)?.[1]}.db`
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
  return momentOf(backupOf(copy))
}
