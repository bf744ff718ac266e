import { desc } from 'drizzle-orm'
import { isOutage } from '#db/errors.ts'
import { operation } from '#db/operation.ts'
import { db } from '#db/storage/client.ts'
import { audited } from './entry.ts'
import { act, auditRequest } from './schema.ts'
import { auditEntries } from './table.ts'

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
