import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { asc, gt, inArray } from 'drizzle-orm'
import * as z from 'zod/mini'
import { audit } from '#db/audit/entry.ts'
import { isOutage } from '#db/errors.ts'
import { type Call, operation } from '#db/operation.ts'
import { ANONYMOUS } from '#db/rsvp/anonymous.ts'
import { WRITE_BATCH_SIZE } from '#db/rsvp/schema.ts'
import { erasedKeys, rsvps } from '#db/rsvp/table.ts'
import { storeRsvps } from '#db/rsvp/write.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import { readKeyedHash } from '#db/secret/keyed-hash.ts'
import { db, transaction } from '#db/storage/client.ts'
import { withDeadline } from '#db/storage/deadline.ts'
import { listEveryVolunteerRole } from '#db/volunteer-role/operations.ts'
import { checkRow, type FittingRow, type Misfit } from './check-row.ts'
import { readCsv } from './read-csv.ts'

/** How many rows are read or checked before others get a turn: signals, and whoever writes to the database. */
const ROWS_AT_ONCE = 1000
/** For the site to write in between. */
const PAUSE_MS = 5

const csvFile = z.object({
  file: z.instanceof(Uint8Array),
  /** Whether its cells are not defused. */
  raw: z.optional(z.boolean()),
  /** Ends the import between two writes. */
  signal: z.optional(z.instanceof(AbortSignal)),
})
type CsvFile = z.output<typeof csvFile>

/**
 * What an import would do, or has done: how many it adds, how many it did not come to because it was stopped, which rows are
 * there already and which do not fit.
 */
export type Import = { added: number; left: number; known: number[]; misfits: Misfit[] }

/**
 * Says what the import of a CSV of ours would do, and changes nothing.
 * @throws UserError 'invalid' when the file is not such a CSV.
 */
export const previewImport = operation(csvFile, async (sent, call): Promise<Import> => {
  const { fresh, known, misfits } = await readRows(sent, call)
  return { added: fresh.length, left: 0, known, misfits }
})

/**
 * Stores the rows of a CSV of ours that are not there yet; none where one does not fit. The same file again adds nothing, or
 * what is left of one that was stopped: they are stored a few at a time, for a running site to get its turn.
 * @throws UserError 'invalid' when the file is not such a CSV.
 */
export const importRsvps = operation(csvFile, async (sent, call): Promise<Import> => {
  const { fresh, known, misfits } = await readRows(sent, call)
  if (misfits.length > 0) return { added: 0, left: 0, known, misfits }
  let added = 0
  for (let done = 0; done < fresh.length; done += WRITE_BATCH_SIZE) {
    if (done > 0) await delay(PAUSE_MS)
    if (sent.signal?.aborted) return { added, left: fresh.length - done, known, misfits }
    try {
      added += await withDeadline(() => store(fresh.slice(done, done + WRITE_BATCH_SIZE), call))
    } catch (error) {
      if (added === 0 || !isOutage(error)) throw error
      return { added, left: fresh.length - done, known, misfits }
    }
  }
  return { added, left: 0, known, misfits }
})

async function store(rows: KeyedRow[], call: Call): Promise<number> {
  return transaction(async (tx) => {
    const keys = rows.map(({ key }) => key)
    const erased = await tx.select().from(erasedKeys).where(inArray(erasedKeys.key, keys))
    const wanted = rows.filter(({ key }) => !erased.some((each) => each.key === key))
    const added = await storeRsvps(
      tx,
      wanted.map((row) => ({ ...row, bodyHash: null })),
      () => null,
    )
    if (added.length > 0) await audit(tx, call, 'responses imported', String(added.length))
    return added.length
  })
}

/** A row with the key that it is stored under: the same for the same row of a file, so that two imports at once store it once. */
type KeyedRow = FittingRow & { key: string }

/** Those not there yet come oldest first, so that they get their numbers in the order in which they came. */
async function readRows({ file, raw = false, signal }: CsvFile, call: Call) {
  const [roles, schedule, keyedHash, stored] = await Promise.all([
    listEveryVolunteerRole(call),
    readSchedule(),
    readKeyedHash(),
    readStored(signal),
  ])
  const fitting: KeyedRow[] = []
  const misfits: Misfit[] = []
  for (const [at, csvRow] of readCsv(file, { raw }).entries()) {
    if (at % ROWS_AT_ONCE === 0) await giveTurn(signal)
    const checked = checkRow(csvRow, { roles, schedule, now: call.now })
    if ('sentences' in checked) misfits.push(checked)
    else fitting.push({ ...checked, key: `import ${keyedHash('key', JSON.stringify(checked))}` })
  }
  const byOrigin = Map.groupBy(fitting, originOf)
  const fresh: KeyedRow[] = []
  const known: number[] = []
  for (const row of fitting) {
    const marks = [row.key, ...marksOf(row), namedMark({ ...row, name: ANONYMOUS })]
    if (row.name === ANONYMOUS) marks.push(originOf(row))
    // A clerk copies a row of a spreadsheet and types over the name: that is another person with the same email.
    if (byOrigin.get(originOf(row))?.length === 1) marks.push(...emailMarks(row))
    if (marks.some((mark) => stored.has(mark))) known.push(row.row)
    else fresh.push(row)
  }
  fresh.sort((one, other) => (one.exportedId ?? 0) - (other.exportedId ?? 0))
  return { fresh, known, misfits }
}

/** What the stored responses are known by, deleted ones included. */
async function readStored(signal: AbortSignal | undefined): Promise<Set<string>> {
  const { id, key, createdAt, name, email, serviceDate } = rsvps
  const stored = new Set<string>()
  for (let after = 0; ; ) {
    const rows = await db
      .select({ id, key, createdAt, name, email, serviceDate })
      .from(rsvps)
      .where(gt(id, after))
      .orderBy(asc(id))
      .limit(ROWS_AT_ONCE)
    for (const { id: exportedId, ...rest } of rows) {
      const row = { ...rest, exportedId }
      for (const mark of [row.key, originOf(row), ...marksOf(row), ...emailMarks(row)]) stored.add(mark)
    }
    after = rows.at(-1)?.id ?? 0
    if (rows.length < ROWS_AT_ONCE) return stored
    await giveTurn(signal)
  }
}

async function giveTurn(signal: AbortSignal | undefined): Promise<void> {
  await nextTurn()
  signal?.throwIfAborted()
}

/** Its number, where it was exported from here or is stored, and who sent it when. */
type Marked = Pick<FittingRow, 'exportedId' | 'createdAt' | 'name' | 'email' | 'serviceDate'>

/**
 * By what a response is found again: its name and email for a service, or its number and moment with its name. Those without
 * an email are told apart by their moment, because several people have the same name.
 */
function marksOf(row: Marked): string[] {
  const { createdAt, name, email, serviceDate } = row
  const person = [serviceDate, name, email.toLowerCase(), email === '' ? createdAt : '']
  return [JSON.stringify(person), namedMark(row)]
}

/** Also where it was made anonymous since, here or in the file: then with that name. */
function namedMark({ exportedId, createdAt, name }: Marked): string {
  return JSON.stringify([exportedId, createdAt, 'name', name])
}

/** Where it was renamed since, or its service changed. */
function emailMarks({ exportedId, createdAt, email }: Marked): string[] {
  return email === '' ? [] : [JSON.stringify([exportedId, createdAt, 'email', email.toLowerCase()])]
}

function originOf({ exportedId, createdAt }: Marked): string {
  return JSON.stringify([exportedId, createdAt])
}
