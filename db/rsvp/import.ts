import { setImmediate as nextTurn } from 'node:timers/promises'
import { asc, gt, inArray } from 'drizzle-orm'
import * as z from 'zod/mini'
import { audit } from '#db/audit/operations.ts'
import { type Call, operation } from '#db/operation.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import type { StoredSchedule } from '#db/schedule/schema.ts'
import { nextService } from '#db/schedule/services.ts'
import { readKeyedHash } from '#db/secret/keyed-hash.ts'
import { db, transaction } from '#db/storage/client.ts'
import { identityOf } from '#db/values/identity.ts'
import { calendarDay } from '#db/values/schemas.ts'
import { listEveryVolunteerRole } from '#db/volunteer-role/operations.ts'
import type { StoredVolunteerRole } from '#db/volunteer-role/schema.ts'
import { type Columns, refuseUnclear } from './csv-columns.ts'
import { type DatesOfFile, dateOrders, findDateOrder, readDay, readMoment } from './csv-dates.ts'
import { personOf } from './duplicates.ts'
import { type EnteredRsvp, enteredRsvp } from './entry.ts'
import { ANONYMOUS, type FieldName, fieldsIn } from './fields.ts'
import { type CsvContent, type CsvRow, readCsv } from './read-csv.ts'
import { attendingFrom, calendarFrom, exportedMembers, itemsOf, membersFrom, unescapedItem } from './read-texts.ts'
import type { StoredRsvp } from './schema.ts'
import { erasedKeys, rsvps } from './table.ts'
import { insertRsvps } from './write.ts'
import { writeInTurn } from './write-in-turn.ts'

/** How many rows are read or checked before signals and other writers get a turn. */
const ROWS_AT_ONCE = 1000

const csvFile = z.object({
  file: z.instanceof(Uint8Array),
  /** See `ReadOptions`. */
  raw: z.optional(z.boolean()),
  encoding: z.optional(z.string()),
  map: z.optional(z.array(z.string())),
  /** What comes first in dates such as 3/4/2026; without it the weekdays of the services decide. */
  dates: z.optional(z.enum(dateOrders)),
  /** Stores the valid rows even if others are not. */
  skipBad: z.optional(z.boolean()),
  /** Ends the import between two writes. */
  signal: z.optional(z.instanceof(AbortSignal)),
})
export type CsvFile = Omit<z.output<typeof csvFile>, 'file'> & { file: Uint8Array }

/** How many rows an import adds, how many are left because it was stopped, and which exist already or are invalid. */
export type Import = { added: number; left: number; known: number[]; misfits: Misfit[] }

/**
 * What the columns of a file become.
 * @throws UserError 'invalid' when the file is not CSV.
 */
export const examineCsv = operation(csvFile, async (sent): Promise<Columns> => readCsv(sent.file, sent))

/**
 * Tells what the import of a CSV would do, and changes nothing.
 * @throws UserError 'invalid' when the file is not CSV, or something in it is unclear.
 */
export const previewImport = operation(csvFile, async (sent, call): Promise<Import> => {
  const { fresh, known, misfits } = await readRows(sent, call)
  return { added: fresh.length, left: 0, known, misfits }
})

/**
 * Stores the new rows of a CSV; none if one is invalid, unless these are to be skipped. Importing the same file again
 * adds nothing, or the rest of an import that was stopped. Rows are stored in batches, so that a running site gets its
 * turn.
 * @throws as `previewImport` does.
 */
export const importRsvps = operation(csvFile, async (sent, call): Promise<Import> => {
  const { fresh, known, misfits } = await readRows(sent, call)
  if (misfits.length > 0 && !sent.skipBad) return { added: 0, left: 0, known, misfits }
  const { changed, left } = await writeInTurn(fresh, (some) => store(some, call), sent.signal)
  return { added: changed, left, known, misfits }
})

/** `key` is the same for the same row of a file, so that two concurrent imports store it once. */
type KeyedRow = FittingRow & { key: string }

/** `exportedId` is its id in the exporting database, or its id here if it is stored. */
type Marked = Pick<FittingRow, 'exportedId' | 'createdAt' | 'name' | 'email' | 'serviceDate' | 'isDated'>

/** A valid row. `row` is its number in the file, `exportedId` its id in the exporting database. */
type FittingRow = EnteredRsvp &
  Pick<StoredRsvp, 'createdAt' | 'changedAt' | 'serviceDate'> & { row: number; exportedId: number | undefined } & {
    /** Whether the file says when it came. */
    isDated: boolean
  }

/** An invalid row. The sentences quote nothing of it but the names of unknown roles. */
type Misfit = { row: number; sentences: string[] }

type Known = CsvContent & { roles: StoredVolunteerRole[]; schedule: StoredSchedule; dates: DatesOfFile }

const titles = new Map<string, string>(fieldsIn('csv').map(({ name, title }) => [name, title]))
/** E.g. `4.91712E+11` or `1712345678.0`. */
const changedNumber = /^\s*(?:\d+(?:[.,]\d+)?E\+?\d+|\d{5,}[.,]0+)\s*$/i
const changedBySpreadsheet =
  'a spreadsheet has changed this number. Correct it in a column that is formatted as text, or import the file as it was before.'

function checkRow({ row, cells }: CsvRow, { roles, schedule, dates, columns, isExport }: Known): FittingRow | Misfit {
  const sentences: string[] = []
  const refuse = (field: FieldName, sentence: string) => sentences.push(`${titles.get(field)}: ${sentence}`)

  if (changedNumber.test(cells.phone ?? '')) refuse('phone', changedBySpreadsheet)
  const isDated = columns.some(({ field }) => field === 'createdAt')
  const createdAt = isDated ? readMoment(cells.createdAt ?? '', dates) : dates.now.toISOString()
  if (createdAt === undefined) refuse('createdAt', 'give a moment in UTC that is over, e.g. 2026-11-21T09:30:00.000Z.')
  const changedAt = cells.changedAt ? readMoment(cells.changedAt, dates) : null
  if (changedAt === undefined) refuse('changedAt', 'give a moment in UTC that is over, or nothing.')

  const attending = attendingFrom(cells.attending ?? '')
  if (attending === undefined) refuse('attending', 'write Attending or Not Attending, or Yes or No.')

  const calendarType = calendarFrom(cells.calendarType ?? '')
  if (cells.calendarType && calendarType === undefined) refuse('calendarType', 'write Google Calendar or iCal.')

  const { ids, unknown } = rolesFrom(cells.volunteerSignups ?? '', roles)
  if (unknown.length > 0)
    refuse('volunteerSignups', `there is no role ${unknown.join(', ')}: add it, then import again.`)

  const next = createdAt ? nextService(schedule, new Date(createdAt)).date : ''
  const serviceDate = cells.serviceDate ? (readDay(cells.serviceDate, dates.order) ?? '') : next
  if (cells.serviceDate && !calendarDay.safeParse(serviceDate).success)
    refuse('serviceDate', 'give a day, e.g. 2026-11-21.')

  const read = enteredRsvp.safeParse({
    ...{ name: cells.name, email: cells.email, phone: cells.phone, message: cells.message },
    ...{ attending: attending ?? true, calendarType, addToCalendar: calendarType !== undefined },
    ...{
      familyMembers: (isExport && cells.id ? exportedMembers : membersFrom)(cells.familyMembers ?? ''),
      volunteerRoles: ids,
    },
  })
  if (!read.success) {
    for (const { path, message } of read.error.issues)
      sentences.push(`${titles.get(String(path[0])) ?? ''}: ${message}`)
  }
  if (!read.success || createdAt === undefined || changedAt === undefined || sentences.length > 0)
    return { row, sentences }
  const exportedId = /^[1-9]\d{0,14}$/.test(cells.id ?? '') ? Number(cells.id) : undefined
  return { ...read.data, row, createdAt, changedAt, serviceDate, exportedId, isDated }
}

async function store(rows: KeyedRow[], call: Call): Promise<number> {
  return transaction(async (tx) => {
    const keys = rows.map(({ key }) => key)
    const erased = await tx.select().from(erasedKeys).where(inArray(erasedKeys.key, keys))
    const wanted = rows.filter(({ key }) => !erased.some((each) => each.key === key))
    const added = await insertRsvps(
      tx,
      wanted.map((row) => ({ ...row, bodyHash: null })),
      () => null,
    )
    if (added.length > 0) await audit(tx, call, 'responses imported', String(added.length))
    return added.length
  })
}

/** Sorts the new rows by their exported ids, so that they get new ids in the same order. */
async function readRows({ file, dates: given, signal, ...options }: CsvFile, call: Call) {
  const content = readCsv(file, options)
  refuseUnclear(content)
  const [roles, schedule, keyedHash, stored] = await Promise.all([
    listEveryVolunteerRole(call),
    readSchedule(),
    readKeyedHash(),
    readKnownMarks(signal),
  ])
  const order = given ?? findDateOrder(content.rows, schedule, call.now)
  const dates = { order, zone: content.isExport ? 'UTC' : schedule.timeZone, now: call.now }
  const fitting: KeyedRow[] = []
  const misfits: Misfit[] = []
  for (const [at, csvRow] of content.rows.entries()) {
    if (at % ROWS_AT_ONCE === 0) await giveTurn(signal)
    const checked = checkRow(csvRow, { ...content, roles, schedule, dates })
    if ('sentences' in checked) misfits.push(checked)
    else fitting.push({ ...checked, key: `import ${keyedHash('key', JSON.stringify(checked))}` })
  }
  const byOrigin = Map.groupBy(fitting, (row) => marksOf(row).origin)
  const fresh: KeyedRow[] = []
  const known: number[] = []
  const read = new Set<string>()
  for (const row of fitting) {
    const content = contentOf(row)
    const { person, named, anonymous, renamed, origin } = marksOf(row)
    const marks = [row.key, person, named, anonymous]
    if (row.name === ANONYMOUS) marks.push(origin)
    // Not for rows of the same origin: a clerk may have copied one in a spreadsheet to enter another person with the
    // same email.
    if (row.email !== '' && byOrigin.get(origin)?.length === 1) marks.push(renamed)
    if (read.has(content) || marks.some((mark) => stored.has(mark))) known.push(row.row)
    else fresh.push(row)
    read.add(content)
  }
  fresh.sort((one, other) => (one.exportedId ?? 0) - (other.exportedId ?? 0))
  return { fresh, known, misfits }
}

/** The same for the same row again, also with the name in other letters. */
function contentOf({ row: _, key: __, name, email, ...rest }: KeyedRow): string {
  return JSON.stringify([personOf({ ...rest, name, email }), rest])
}

/** The marks of all stored responses, including deleted ones. */
async function readKnownMarks(signal: AbortSignal | undefined): Promise<Set<string>> {
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
      const { person, named, renamed, origin } = marksOf({ ...rest, exportedId, isDated: true })
      const undated = marksOf({ ...rest, exportedId, isDated: false }).person
      for (const mark of [rest.key, person, undated, named, renamed, origin]) stored.add(mark)
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

/**
 * The marks by which a response is recognized: its name and email for a service, or its id and moment with its name.
 * Without an email the moment counts too, if the file has it, because several people can have the same name. `anonymous`
 * recognizes one that was made anonymous since, `renamed` one that was renamed since, or whose service changed. Moments
 * are compared by the minute: a spreadsheet drops the rest.
 */
function marksOf({ exportedId, createdAt, name, email, serviceDate, isDated }: Marked) {
  const minute = createdAt.slice(0, 'yyyy-MM-ddTHH:mm'.length)
  const origin = [exportedId, minute]
  return {
    person: JSON.stringify([personOf({ serviceDate, email, name }), email === '' && isDated ? minute : '']),
    named: JSON.stringify([...origin, 'name', identityOf(name)]),
    anonymous: JSON.stringify([...origin, 'name', identityOf(ANONYMOUS)]),
    renamed: JSON.stringify([...origin, 'email', email.toLowerCase()]),
    origin: JSON.stringify(origin),
  }
}

/** Finds roles by name, including retired ones; of two with the same name, the one on offer. */
function rolesFrom(text: string, roles: StoredVolunteerRole[]): { ids: number[]; unknown: string[] } {
  const known = roles.toSorted((one, other) => Number(one.retired) - Number(other.retired))
  const named = itemsOf(text).map((item) => unescapedItem(item.trim()))
  const found = named.map((name) => known.find((role) => role.name === name)?.id)
  return {
    ids: found.filter((id) => id !== undefined),
    unknown: named.filter((_, at) => found[at] === undefined).map((name) => JSON.stringify(name)),
  }
}
