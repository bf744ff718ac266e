import { millisecondsInDay } from 'date-fns/constants'
import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { AuditAction } from '#db/audit/schema.ts'
import { auditEntries } from '#db/audit/table.ts'
import { WRITE_BATCH_SIZE } from '#db/rsvp/schema.ts'

/**
 * How many of the due responses are purged within a day: all of them, or at most a third of all there are. The clock may be
 * wrong by too little to be noticed, and must not purge everything at once.
 */
export const purgeBound = z._default(z.enum(['all', 'third']), 'all')

/**
 * How many rows one purge may take: those of one write, and where they are bounded the rest of today's third. In SQL, so
 * that two sites on one database share it.
 * @param action the act that the audit records for each purge, with its count.
 * @param heldOf how many rows there were before the first one of today, by how many have been taken since.
 */
export function purgeLimit(bound: 'all' | 'third', action: AuditAction, heldOf: (taken: SQL) => SQL, now: Date): SQL {
  if (bound === 'all') return sql`${WRITE_BATCH_SIZE}`
  const yesterday = new Date(now.getTime() - millisecondsInDay).toISOString()
  const taken = sql`(SELECT coalesce(sum(CAST(${auditEntries.subject} AS INTEGER)), 0) FROM ${auditEntries}
    WHERE ${auditEntries.actor} = 'site' AND ${auditEntries.action} = ${action}
    AND ${auditEntries.at} > ${yesterday} AND ${auditEntries.at} <= ${now.toISOString()})`
  // Rounded up: otherwise the last one would stay for ever.
  const left = sql`(${heldOf(taken)} + 2) / 3 - ${taken}`
  return sql`max(0, min(${WRITE_BATCH_SIZE}, ${left}))`
}
