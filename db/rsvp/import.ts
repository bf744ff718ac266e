import { asc } from 'drizzle-orm'
import * as z from 'zod/mini'
import { audit } from '#db/audit/operations.ts'
import { type Call, operation } from '#db/operation.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import type { StoredSchedule } from '#db/schedule/schema.ts'
import { nextService } from '#db/schedule/services.ts'
import { readKeyedHash } from '#db/secret/keyed-hash.ts'
import { db, transaction } from '#db/storage/client.ts'
import { calendarDay } from '#db/values/schemas.ts'
import { listEveryVolunteerRole } from '#db/volunteer-role/operations.ts'
import type { StoredVolunteerRole } from '#db/volunteer-role/schema.ts'
import { type DatesOfFile, dateOrders, findDateOrder, readDay, readMoment } from './csv-dates.ts'
import { personOf } from './duplicates.ts'
import { type EnteredRsvp, enteredRsvp } from './entry.ts'
import { type FieldName, fieldsIn } from './fields.ts'
import { type Column, type CsvContent, type CsvRow, readCsv } from './read-csv.ts'
import { attendingFrom, calendarFrom, exportedMembers, itemsOf, membersFrom, unescapedItem } from './read-texts.ts'
import { type StoredRsvp, WRITE_BATCH_SIZE } from './schema.ts'
import { rsvps } from './table.ts'
import { insertRsvps } from './write.ts'

const csvFile = z.object({
  file: z.instanceof(Uint8Array),
  /** See `ReadOptions`. */
  encoding: z.optional(z.string()),
  map: z.optional(z.array(z.string())),
  /** What comes first in dates such as 3/4/2026, if they do not tell. */
  dates: z.optional(z.enum(dateOrders)),
  /** Stores the valid rows even if others are not. */
  skipBad: z.optional(z.boolean()),
})
export type CsvFile = Omit<z.output<typeof csvFile>, 'file'> & { file: Uint8Array }

/** How many rows an import adds, and which exist already or are invalid; what the columns of the file become. */
export type Import = { added: number; known: number[]; misfits: Misfit[]; columns: Column[] }

/**
 * Tells what the import of a CSV would do, and changes nothing.
 * @throws UserError 'invalid' when the file is not CSV, or something in it is unclear.
 */
export const previewImport = operation(csvFile, async (sent, call): Promise<Import> => {
  const { fresh, ...others } = await readRows(sent, call)
  return { added: fresh.length, ...others }
})

/**
 * Stores the new rows of a CSV; none if one is invalid, unless these are to be skipped. Importing the same file again
 * adds nothing.
 * @throws as `previewImport` does.
 */
export const importRsvps = operation(csvFile, async (sent, call): Promise<Import> => {
  const { fresh, ...others } = await readRows(sent, call)
  if (others.misfits.length > 0 && !sent.skipBad) return { added: 0, ...others }
  return { added: await store(fresh, call), ...others }
})

/** `key` is the same for the same row of a file, so that two concurrent imports store it once. */
type KeyedRow = FittingRow & { key: string }

type Marked = Pick<FittingRow, 'exportedId' | 'createdAt' | 'name' | 'email' | 'serviceDate' | 'isDated'>

/** A valid row; `exportedId` is its id in the exporting database. */
type FittingRow = EnteredRsvp &
  Pick<StoredRsvp, 'createdAt' | 'changedAt' | 'serviceDate'> & {
    exportedId: number | undefined
    /** Whether the file says when it came. */
    isDated: boolean
  }

/** An invalid row. The sentences quote nothing of it but the names of unknown roles. */
type Misfit = { row: number; sentences: string[] }

type Known = Omit<CsvContent, 'rows'> & { roles: StoredVolunteerRole[]; schedule: StoredSchedule; dates: DatesOfFile }

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
  return { ...read.data, createdAt, changedAt, serviceDate, exportedId, isDated }
}

async function store(rows: KeyedRow[], call: Call): Promise<number> {
  return transaction(async (tx) => {
    let added = 0
    for (let done = 0; done < rows.length; done += WRITE_BATCH_SIZE) {
      const some = rows.slice(done, done + WRITE_BATCH_SIZE).map((row) => ({ ...row, bodyHash: null }))
      added += (await insertRsvps(tx, some)).length
    }
    if (added > 0) await audit(tx, call, 'responses imported', String(added))
    return added
  })
}

/** Sorts the new rows by their exported ids, so that they get new ids in the same order. */
async function readRows({ file, dates: given, ...options }: CsvFile, call: Call) {
  const { columns, rows, isExport } = readCsv(file, options)
  const [roles, schedule, keyedHash, stored] = await Promise.all([
    listEveryVolunteerRole(call),
    readSchedule(),
    readKeyedHash(),
    readKnownMarks(),
  ])
  const written = rows.flatMap(({ cells: { createdAt = '', changedAt = '', serviceDate = '' } }) => [
    createdAt,
    changedAt,
    serviceDate,
  ])
  const order = given ?? findDateOrder(written)
  const dates = { order, zone: isExport ? 'UTC' : schedule.timeZone, now: call.now }
  const fresh: KeyedRow[] = []
  const known: number[] = []
  const misfits: Misfit[] = []
  for (const csvRow of rows) {
    const checked = checkRow(csvRow, { columns, isExport, roles, schedule, dates })
    if ('sentences' in checked) {
      misfits.push(checked)
      continue
    }
    const key = `import ${keyedHash('key', JSON.stringify(checked))}`
    if ([key, ...marksOf(checked)].some((mark) => stored.has(mark))) known.push(csvRow.row)
    else fresh.push({ ...checked, key })
    // The same row may be in the file twice.
    stored.add(key)
  }
  fresh.sort((one, other) => (one.exportedId ?? 0) - (other.exportedId ?? 0))
  return { fresh, known, misfits, columns }
}

/** The marks of all stored responses, including deleted ones. */
async function readKnownMarks(): Promise<Set<string>> {
  const { id: exportedId, key, createdAt, name, email, serviceDate } = rsvps
  const rows = await db
    .select({ exportedId, key, createdAt, name, email, serviceDate })
    .from(rsvps)
    .orderBy(asc(rsvps.id))
  return new Set(
    rows.flatMap((row) => [row.key, ...marksOf({ ...row, isDated: true }), ...marksOf({ ...row, isDated: false })]),
  )
}

/**
 * The marks by which a response is recognized: its sender and service; and its id and moment, even if it was changed or
 * made anonymous since it was exported. Without an email the moment counts too, if the file has it, because several
 * people can have the same name. Moments are compared by the minute: a spreadsheet drops the rest.
 */
function marksOf({ exportedId, isDated, ...sent }: Marked): string[] {
  const minute = sent.createdAt.slice(0, 'yyyy-MM-ddTHH:mm'.length)
  const sender = JSON.stringify([personOf(sent), sent.email === '' && isDated ? minute : ''])
  return exportedId === undefined ? [sender] : [sender, JSON.stringify([exportedId, minute])]
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
