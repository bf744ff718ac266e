import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { recordAct } from '#db/audit/operations.ts'
import { auditEntries } from '#db/audit/table.ts'
import type { Config, Copies } from '#db/config/config.ts'
import type { Call } from '#db/operation.ts'
import { db } from '#db/storage/client.ts'
import type { StoredCounts } from '../copy.ts'
import { countsMade, madeSubject } from '../made.ts'
import { listBackups, newestOf } from '../names.ts'
import type { Drill } from './judge.ts'

/** A restore drill: when it was, and which copy it was about; of a failed one also what it found. */
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

/** The last drill, and the last that passed, each undefined if there was none. */
export async function getLastDrills() {
  const entries = await db
    .select({ at: auditEntries.at, action: auditEntries.action, subject: auditEntries.subject })
    .from(auditEntries)
    .where(inArray(auditEntries.action, ['drill passed', 'drill failed']))
    .orderBy(desc(auditEntries.id))
    .limit(1)
  const passed = await newest('drill passed')
  const [last] = entries.map(
    ({ at, action, subject }): PastDrill => ({ at, subject, passed: action === 'drill passed' }),
  )
  return { last, passed }
}

/** When the last copy was sent to the place, ISO 8601 in UTC. */
export async function findLastSent(copies: Copies): Promise<string | undefined> {
  return (await lastSent(copies))?.at
}

/** The name of that copy. */
export async function findLastSentName(copies: Copies): Promise<string | undefined> {
  return (await lastSent(copies))?.subject.slice(`${copies.place?.title}/`.length)
}

export async function hasSentCopies(): Promise<boolean> {
  return (await newest('copy sent')) !== undefined
}

async function lastSent({ place }: Copies) {
  return place && (await newest('copy sent', `${place.title}/`))
}

/** The newest backup in the folder, if no copy of it has been sent to the place that is set now. */
export async function findUnsent(folder: string, { place }: Copies, now: Date): Promise<string | undefined> {
  const file = newestOf(await listBackups(folder), now)
  if (file === undefined || place === undefined) return undefined
  const stem = file.slice(file.lastIndexOf('rsvp-'), -'.db'.length)
  return (await newest('copy sent', `${place.title}/${stem}.`)) === undefined ? file : undefined
}

/** What the audit says is in a backup; undefined where it does not know it. */
export async function findCountsMade(file: string): Promise<StoredCounts | undefined> {
  const beginning = madeSubject(file, { responses: 0, rows: 0, latest: 0 }).slice(0, file.length + 2)
  const entry = await newest('backup made', beginning)
  return entry && countsMade(entry.subject)
}

async function newest(action: 'copy sent' | 'drill passed' | 'backup made', beginning = '') {
  const [entry] = await db
    .select({ at: auditEntries.at, subject: auditEntries.subject })
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.action, action),
        sql`substr(${auditEntries.subject}, 1, ${Array.from(beginning).length}) = ${beginning}`,
      ),
    )
    .orderBy(desc(auditEntries.id))
    .limit(1)
  return entry
}
