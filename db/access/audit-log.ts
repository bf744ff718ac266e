import { and, desc, eq, inArray, isNull, lt, type SQL } from 'drizzle-orm'
import { recordAct } from '#db/audit/operations.ts'
import { type AuditEntry, type AuditFilter, type AuditPage, auditFilter, auditRequest } from '#db/audit/schema.ts'
import { auditEntries } from '#db/audit/table.ts'
import { UserError } from '#db/errors.ts'
import { operation } from '#db/operation.ts'
import { db } from '#db/storage/client.ts'
import { BYTE_ORDER_MARK, type CsvOptions, csvLines, separatorFor } from '#db/values/csv.ts'
import { identityOf } from '#db/values/identity.ts'
import { administrators } from './table.ts'

/** Entries that a CSV reads at once. */
const PIECE = 1000
/** Who acts without being an administrator by name. */
const actors = ['terminal', 'open mode', 'visitor', 'site'] as const

type People = AuditPage['people']
type Place = { limit: number; before?: number | undefined }

/**
 * A page of the audit, newest first, with the names of those who acted, also of removed administrators.
 * @throws UserError 'not-found' when no administrator has this id or name.
 */
export const getAuditPage = operation(auditRequest, async ({ limit, before, ...filter }): Promise<AuditPage> => {
  const people = await readPeople()
  const read = await readEntries(filter, { limit: limit + 1, before }, people)
  const entries = read.slice(0, limit)
  return { entries, next: read.length > limit ? (entries.at(-1)?.id ?? null) : null, people }
})

/** All of the same as CSV, a piece at a time; the audit records it. @throws as `getAuditPage` does. */
export const exportAudit = operation(auditFilter, async (filter, call): Promise<AsyncGenerator<string>> => {
  const people = await readPeople()
  whose(filter, people)
  await recordAct({ action: 'audit exported' }, call)
  return csvOf(filter, people, { separator: separatorFor(call.language) })
})

async function* csvOf(filter: AuditFilter, people: People, options: CsvOptions): AsyncGenerator<string> {
  const titles = ['Id', 'When', 'Who', 'Session', 'What', 'Of']
  const isText = titles.map((title) => title === 'Who')
  yield BYTE_ORDER_MARK + csvLines([titles], options)
  let before: number | undefined
  do {
    const entries = await readEntries(filter, { limit: PIECE, before }, people)
    const rows = entries.map(({ id, at, name, actor, action, about }) => {
      return [String(id), at, name ?? actor, actor, action, about]
    })
    yield csvLines(rows, options, isText)
    before = entries.length < PIECE ? undefined : entries.at(-1)?.id
  } while (before !== undefined)
}

async function readPeople(): Promise<People> {
  const { id, name, removedAt } = administrators
  const stored = await db.select({ id, name, removedAt }).from(administrators).orderBy(administrators.id)
  return stored.map((person) => ({ id: person.id, name: person.name, removed: person.removedAt !== null }))
}

async function readEntries(filter: AuditFilter, { limit, before }: Place, people: People): Promise<AuditEntry[]> {
  const { action } = filter
  const nameOf = (id: number | null) => people.find((person) => person.id === id)?.name ?? null
  const isWanted = and(
    whose(filter, people),
    action && eq(auditEntries.action, action),
    before === undefined ? undefined : lt(auditEntries.id, before),
  )
  const stored = await db.select().from(auditEntries).where(isWanted).orderBy(desc(auditEntries.id)).limit(limit)
  return stored.map((entry) => ({
    ...entry,
    name: nameOf(entry.administratorId),
    about: entry.subject.replace(/^administrator (\d+)/, (unnamed, id) => nameOf(Number(id)) ?? unnamed),
  }))
}

function whose({ who }: AuditFilter, people: People): SQL | undefined {
  if (who === undefined) return undefined
  const actor = actors.find((each) => each === who)
  if (actor !== undefined) return and(eq(auditEntries.actor, actor), isNull(auditEntries.administratorId))
  const named = people.filter(({ id, name }) => String(id) === who || identityOf(name) === identityOf(who))
  if (named.length === 0) throw new UserError('not-found', 'No administrator has this id or name, and none had.')
  return inArray(
    auditEntries.administratorId,
    named.map(({ id }) => id),
  )
}
