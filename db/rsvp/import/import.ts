import { randomUUID } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { auditedIfChanged } from '#db/audit/entry.ts'
import { type Call, operation } from '#db/operation.ts'
import { field, storeEntries } from '#db/rsvp/entry/store.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import { db } from '#db/storage/client.ts'
import { listEveryVolunteerRole } from '#db/volunteer-role/operations.ts'
import { checkRow, type FittingRow, type Misfit } from './check-row.ts'
import { readCsv } from './read-csv.ts'

const csvFile = z.object({
  file: z.instanceof(Uint8Array),
  /** Whether its cells are not defused. */
  raw: z.optional(z.boolean()),
})

/** What an import would do, or has done: how many it adds, how many are there already, and which rows do not fit. */
export type Import = { added: number; known: number; misfits: Misfit[] }

/**
 * Says what the import of a CSV of ours would do, and changes nothing.
 * @throws UserError 'invalid' when the file is not such a CSV.
 */
export const previewImport = operation(csvFile, async (sent, call): Promise<Import> => {
  const { rows, misfits } = await readRows(sent, call)
  const [counted] = await db
    .select({ added: sql<number>`count(*)` })
    .from(sql`(SELECT 1 FROM ${itemsOf(rows)} WHERE ${isNew})`)
  const added = counted?.added ?? 0
  return { added, known: rows.length - added, misfits }
})

/**
 * Stores the rows of a CSV of ours that are not there yet, all or nothing; none where one does not fit. The same file
 * again adds nothing.
 * @throws UserError 'invalid' when the file is not such a CSV.
 */
export const importRsvps = operation(csvFile, async (sent, call): Promise<Import> => {
  const { rows, misfits } = await readRows(sent, call)
  if (misfits.length > 0) return { added: 0, known: 0, misfits }
  const entries = rows.map((row) => ({ ...row, key: randomUUID(), bodyHash: null }))
  const [stored, ...children] = storeEntries(entries, { wanted: isNew, keptFrom: sql`NULL` })
  const imported = auditedIfChanged(call, 'responses imported', sql`changes()`)
  const [added] = await db.batch([stored, imported, ...children])
  return { added: added.length, known: rows.length - added.length, misfits }
})

/** Oldest first, so that they get their numbers in the order in which they came. */
async function readRows({ file, raw = false }: z.output<typeof csvFile>, call: Call) {
  const [roles, schedule] = await Promise.all([listEveryVolunteerRole(call), readSchedule()])
  const rows: FittingRow[] = []
  const misfits: Misfit[] = []
  for (const row of readCsv(file, { raw })) {
    const checked = checkRow(row, { roles, schedule, now: call.now })
    if ('sentences' in checked) misfits.push(checked)
    else rows.push(checked)
  }
  rows.sort((one, other) => (one.exportedId ?? 0) - (other.exportedId ?? 0))
  return { rows, misfits }
}

/**
 * Not there yet, deleted ones included: neither exported from here, nor the same name and email for the same service. Those
 * without an email are told apart by their moment, because several people have the same name. What tells an RSVP from
 * others is one text, so that SQLite makes an index of all of them: comparing each row with every RSVP of its service
 * took minutes, in which the site could store nothing.
 */
const isNew = sql`NOT EXISTS (SELECT 1 FROM rsvps AS known
  WHERE known.id = ${field('exportedId')} AND known.created_at = ${field('createdAt')})
  AND json_array(${field('serviceDate')}, ${field('name')}, lower(${field('email')}),
    iif(${field('email')} = '', ${field('createdAt')}, ''))
  NOT IN (SELECT json_array(service_date, name, lower(email), iif(email = '', created_at, '')) FROM rsvps)`

function itemsOf(rows: FittingRow[]): SQL {
  return sql`json_each(${JSON.stringify(rows)}) AS item`
}
