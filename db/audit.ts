import { desc, lt } from 'drizzle-orm'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { administrators, auditEntries } from '#db/tables/access.ts'
import { type AuditAction, type AuditPage, auditRequest } from '#db/values/audit.ts'
import { isOutage } from '#db/values/errors.ts'
import { type Call, parseInput } from './call.ts'

const PAGE_SIZE = 50

type AuditedCall = Pick<Call, 'now' | 'actor'> & { administrator?: { id: number } | undefined }

/** Adds an audit entry for each subject, in the transaction of the act. A subject must not contain personal data. */
export async function audit(
  tx: Transaction,
  { now, actor, administrator }: AuditedCall,
  action: AuditAction,
  subject: string | string[] = '',
): Promise<void> {
  const entry = { at: now.toISOString(), administratorId: administrator?.id, actor, action }
  const entries = [subject].flat().map((each) => ({ ...entry, subject: each }))
  if (entries.length > 0) await tx.insert(auditEntries).values(entries)
}

/**
 * Audits an act that only reads, e.g. an export. Ignores an outage, so that administrators can still save the responses
 * when the disk is full.
 */
export async function recordAct(
  { action, subject }: { action: AuditAction; subject?: string },
  call: AuditedCall,
): Promise<void> {
  try {
    await transaction((tx) => audit(tx, call, action, subject))
  } catch (error) {
    if (!isOutage(error)) throw error
  }
}

/** A page of the audit, newest first, with the names of administrators, including removed ones. */
export async function getAuditPage(input: unknown): Promise<AuditPage> {
  const { before } = parseInput(auditRequest, input)
  const { id } = auditEntries
  const people = await db.select({ id: administrators.id, name: administrators.name }).from(administrators)
  const nameOf = (id: number | null) => people.find((person) => person.id === id)?.name ?? null
  const isBefore = before === undefined ? undefined : lt(id, before)
  const page = db.select().from(auditEntries).where(isBefore).orderBy(desc(id))
  const read = await page.limit(PAGE_SIZE + 1)
  const entries = read.slice(0, PAGE_SIZE).map(({ subject, administratorId, ...entry }) => ({
    ...entry,
    name: nameOf(administratorId),
    about: subject.replace(/^administrator (\d+)/, (unnamed, id) => nameOf(Number(id)) ?? unnamed),
  }))
  return { entries, next: read.length > PAGE_SIZE ? (entries.at(-1)?.id ?? null) : null }
}
