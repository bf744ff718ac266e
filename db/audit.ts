import { type Transaction, transaction } from '#db/storage/client.ts'
import { auditEntries } from '#db/tables/access.ts'
import type { AuditAction } from '#db/values/audit.ts'
import { isOutage } from '#db/values/errors.ts'
import type { Call } from './call.ts'

type AuditedCall = Pick<Call, 'now' | 'actor'> & { administrator?: { id: number } | undefined }

/** Adds an audit entry per subject, in the transaction of the act. A subject must not contain personal data. */
export async function audit(
  tx: Transaction,
  { now, actor, administrator }: AuditedCall,
  action: AuditAction,
  subject: string | string[] = '',
): Promise<void> {
  const lines = [subject].flat().map((about) => ({
    at: now.toISOString(),
    administratorId: administrator?.id,
    actor,
    action,
    subject: about,
  }))
  if (lines.length > 0) await tx.insert(auditEntries).values(lines)
}

/**
 * Audits an act that only reads, e.g. an export. It does not fail during an outage: with a full disk, administrators
 * can still save the responses.
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
