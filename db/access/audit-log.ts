import { desc, lt } from 'drizzle-orm'
import { parseInput } from '#db/call.ts'
import { db } from '#db/storage/client.ts'
import { administrators, auditEntries } from '#db/tables/access.ts'
import { type AuditPage, auditRequest } from '#db/values/audit.ts'

const PAGE = 50

/** A page of the audit, newest first, with the names of those who acted, also of removed administrators. */
export async function getAuditPage(input: unknown): Promise<AuditPage> {
  const { before } = parseInput(auditRequest, input)
  const { id } = auditEntries
  const people = await db.select({ id: administrators.id, name: administrators.name }).from(administrators)
  const nameOf = (id: number | null) => people.find((person) => person.id === id)?.name ?? null
  const isBefore = before === undefined ? undefined : lt(id, before)
  const page = db.select().from(auditEntries).where(isBefore).orderBy(desc(id))
  const read = await page.limit(PAGE + 1)
  const entries = read.slice(0, PAGE).map(({ subject, administratorId, ...entry }) => ({
    ...entry,
    name: nameOf(administratorId),
    about: subject.replace(/^administrator (\d+)/, (unnamed, id) => nameOf(Number(id)) ?? unnamed),
  }))
  return { entries, next: read.length > PAGE ? (entries.at(-1)?.id ?? null) : null }
}
