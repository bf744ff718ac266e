import { and, desc, eq, isNull, lt } from 'drizzle-orm'
import { type AuditPage, auditRequest } from '#db/audit/schema.ts'
import { auditEntries } from '#db/audit/table.ts'
import { operation } from '#db/operation.ts'
import { db } from '#db/storage/client.ts'
import { administrators } from './table.ts'

/** Few enough entries to look over. */
const PAGE = 20

/** A page of the audit, newest first, with the names of those who acted, also of removed administrators. */
export const getAuditPage = operation(auditRequest, async ({ who, action, before }): Promise<AuditPage> => {
  const { id } = auditEntries
  const isWanted = and(
    who === undefined ? undefined : isBy(who),
    action && eq(auditEntries.action, action),
    before === undefined ? undefined : lt(id, before),
  )
  const people = await readPeople()
  const nameOf = (id: number | null) => people.find((person) => person.id === id)?.name ?? null
  const read = await db
    .select()
    .from(auditEntries)
    .where(isWanted)
    .orderBy(desc(id))
    .limit(PAGE + 1)
  const entries = read.slice(0, PAGE).map(({ subject, administratorId, ...entry }) => ({
    ...entry,
    name: nameOf(administratorId),
    about: subject.replace(/^administrator (\d+)/, (unnamed, id) => nameOf(Number(id)) ?? unnamed),
  }))
  return { entries, next: read.length > PAGE ? (entries.at(-1)?.id ?? null) : null, people }
})

function isBy(who: string) {
  const { administratorId, actor } = auditEntries
  return /^\d+$/.test(who) ? eq(administratorId, Number(who)) : and(eq(actor, who), isNull(administratorId))
}

async function readPeople(): Promise<AuditPage['people']> {
  const { id, name, removedAt } = administrators
  const stored = await db.select({ id, name, removedAt }).from(administrators).orderBy(id)
  return stored.map((person) => ({ id: person.id, name: person.name, removed: person.removedAt !== null }))
}
