import { type SQL, sql } from 'drizzle-orm'
import type { Call } from '#db/operation.ts'
import { db } from '#db/storage/client.ts'
import type { AuditAction } from './schema.ts'
import { auditEntries } from './table.ts'

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
