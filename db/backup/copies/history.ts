import { and, desc, inArray, sql } from 'drizzle-orm'
import { recordAct } from '#db/audit/operations.ts'
import type { AuditAction } from '#db/audit/schema.ts'
import { auditEntries } from '#db/audit/table.ts'
import type { StoredCounts } from '#db/backup/copy.ts'
import { listBackups, madeSubject, newestOf, readMade } from '#db/backup/names.ts'
import type { Config, Copies } from '#db/config/config.ts'
import { rsvpCommand } from '#db/config/places.ts'
import { type Call, operationWithoutInput } from '#db/operation.ts'
import { db, withoutBoundValues } from '#db/storage/client.ts'
import { type Drill, findingTexts } from './judge.ts'

/** `subject` is the examined copy, after a failed drill preceded by the finding, e.g. `damaged: /mnt/copies/…`. */
export type PastDrill = { at: string; passed: boolean; subject: string }

export async function recordDrill(
  { finding, copy }: Drill,
  { copies, backupFolder }: Config,
  call: Call,
): Promise<void> {
  const place = copy ?? copies.place?.title ?? backupFolder ?? ''
  if (finding === 'fine') await recordAct({ action: 'drill passed', subject: place }, call)
  else await recordAct({ action: 'drill failed', subject: `${finding}: ${place}` }, call)
}

export async function getLastDrills() {
  const entry = await newest(['drill passed', 'drill failed'])
  const last: PastDrill | undefined = entry && {
    at: entry.at,
    subject: entry.subject,
    passed: entry.action === 'drill passed',
  }
  return { last, passed: await newest(['drill passed']) }
}

/** The copy last sent to this place; `at` is ISO 8601 in UTC. */
export async function findLastSent({ place }: Copies): Promise<{ at: string; name: string } | undefined> {
  const entry = place && (await newest(['copy sent'], `${place.title}/`))
  return entry && { at: entry.at, name: entry.subject.slice(`${place?.title}/`.length) }
}

export async function hasSentCopies(): Promise<boolean> {
  return (await newest(['copy sent'])) !== undefined
}

/** The newest backup in the folder, if no copy of it has been sent to the place that is set now. */
export async function findUnsent(folder: string, { place }: Copies, now: Date): Promise<string | undefined> {
  const file = newestOf(await listBackups(folder), now)
  if (file === undefined || place === undefined) return undefined
  const stem = file.slice(file.lastIndexOf('rsvp-'), -'.db'.length)
  return (await newest(['copy sent'], `${place.title}/${stem}.`)) === undefined ? file : undefined
}

/** The counts that the audit recorded for a backup. */
export async function findCountsMade(file: string): Promise<StoredCounts | undefined> {
  const beginning = madeSubject(file, { responses: 0, rows: 0, latest: 0 }).slice(0, file.length + 2)
  const entry = await newest(['backup made'], beginning)
  return entry && readMade(entry.subject).counts
}

/** Why the last restore drill failed, as a sentence that says what to do and contains no path. */
export const findDrillTrouble = operationWithoutInput(async (): Promise<string | undefined> => {
  const { last } = await getLastDrills()
  return last === undefined || last.passed ? undefined : drillSentence(last)
})

export function drillSentence({ at, subject }: PastDrill): string {
  const [, meaning] = Object.entries(findingTexts).find(([finding]) => subject.startsWith(`${finding}: `)) ?? []
  const day = at.slice(0, 10)
  return `The restore drill of ${day} failed: the newest backup ${meaning}. Run \`${rsvpCommand} backup verify\`, which says what to do.`
}

async function newest(actions: AuditAction[], beginning = '') {
  const { at, action, subject } = auditEntries
  const begins = sql`substr(${subject}, 1, ${Array.from(beginning).length}) = ${beginning}`
  // The site asks for it outside of operations: an outage must be one there too, and not a bug that ends the site.
  const [entry] = await withoutBoundValues(() =>
    db
      .select({ at, action, subject })
      .from(auditEntries)
      .where(and(inArray(action, actions), begins))
      .orderBy(desc(auditEntries.id))
      .limit(1),
  )
  return entry
}
