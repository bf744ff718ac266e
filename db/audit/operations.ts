import { desc, type SQL, sql } from 'drizzle-orm'
import { isOutage } from '#db/errors.ts'
import { type Call, operation } from '#db/operation.ts'
import { db, type Transaction } from '#db/storage/client.ts'
import { type AuditAction, act, auditRequest } from './schema.ts'
import { auditEntries } from './table.ts'

/**
 * Writes the line about an act in its transaction, or one line for each of several subjects. A subject may hold no personal
 * data.
 */
export async function audit(
  tx: Transaction,
  { now, actor }: Call,
  action: AuditAction,
  subject: string | string[] = '',
): Promise<void> {
  const lines = [subject].flat().map((about) => ({ at: now.toISOString(), actor, action, subject: about }))
  if (lines.length > 0) await tx.insert(auditEntries).values(lines)
}

/** The line about an act, to be written in the same batch. `subject` may hold no personal data. */
export function audited(call: Call, action: AuditAction, subject: string | SQL = '') {
  return entry(call, action, subject, sql``)
}

/** The same, if the statement before it in the batch changed anything. */
export function auditedIfChanged(call: Call, action: AuditAction, subject: string | SQL = '') {
  return entry(call, action, subject, sql`WHERE changes() > 0`)
}

/** One line for each row of `rows`, whose `subject` it is about: a query after FROM. Write it before the rows change. */
export function auditedForEach(call: Call, action: AuditAction, subject: SQL, rows: SQL) {
  return entry(call, action, subject, sql`FROM ${rows}`)
}

function entry({ now, actor }: Call, action: AuditAction, subject: string | SQL, where: SQL) {
  const line = sql`NULL, ${now.toISOString()}, ${actor}, ${action}, ${subject}`
  return db.insert(auditEntries).select(sql`SELECT ${line} ${where}`)
}

export type AuditEntry = typeof auditEntries.$inferSelect

/** What administrators did, newest first. */
export const listAudit = operation(
  auditRequest,
  async ({ limit }): Promise<AuditEntry[]> =>
    db.select().from(auditEntries).orderBy(desc(auditEntries.id)).limit(limit),
)

/**
 * Audits an act that only reads, e.g. an export. An outage does not make it fail: with a full disk, administrators can
 * still save the responses.
 */
export const recordAct = operation(act, async ({ action, subject }, call): Promise<void> => {
  try {
    await db.batch([audited(call, action, subject)])
  } catch (error) {
    if (!isOutage(error)) throw error
  }
})
