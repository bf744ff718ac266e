import { setImmediate as nextTurn } from 'node:timers/promises'
import { asc, gt, inArray } from 'drizzle-orm'
import * as z from 'zod/mini'
import { audit } from '#db/audit/operations.ts'
import { type Call, operation } from '#db/operation.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import type { Schedule } from '#db/schedule/schema.ts'
import { nextService } from '#db/schedule/services.ts'
import { readKeyedHash } from '#db/secret/keyed-hash.ts'
import { db, transaction } from '#db/storage/client.ts'
import { identityOf } from '#db/values/identity.ts'
import { calendarDay } from '#db/values/schemas.ts'
import { listEveryVolunteerRole } from '#db/volunteer-role/operations.ts'
import type { StoredVolunteerRole } from '#db/volunteer-role/schema.ts'
import { type EnteredRsvp, enteredRsvp } from './entry.ts'
import { ANONYMOUS, type FieldName, fieldsIn, LIST_SEPARATOR, statusText } from './fields.ts'
import { type CsvRow, readCsv } from './read-csv.ts'
import { calendarFrom, membersFrom } from './read-texts.ts'
import type { StoredRsvp } from './schema.ts'
import { erasedKeys, rsvps } from './table.ts'
import { insertRsvps } from './write.ts'
import { writeInTurn } from './write-in-turn.ts'

/** How many rows are read or checked before signals and other writers get a turn. */
const ROWS_AT_ONCE = 1000

const csvFile = z.object({
  file: z.instanceof(Uint8Array),
  /** Its cells are not defused. */
  raw: z.optional(z.boolean()),
  /** Ends the import between two writes. */
  signal: z.optional(z.instanceof(AbortSignal)),
})
type CsvFile = z.output<typeof csvFile>

/** How many rows an import adds, how many are left because it was stopped, and which exist already or are invalid. */
export type Import = { added: number; left: number; known: number[]; misfits: Misfit[] }

/**
 * Tells what the import of an exported CSV would do, and changes nothing.
 * @throws UserError 'invalid' when the file is not such a CSV.
 */
export const previewImport = operation(csvFile, async (sent, call): Promise<Import> => {
  const { fresh, known, misfits } = await readRows(sent, call)
  return { added: fresh.length, left: 0, known, misfits }
})

/**
 * Stores the new rows of an exported CSV; none if one is invalid. Importing the same file again adds nothing, or the
 * rest of an import that was stopped. Rows are stored in batches, so that a running site gets its turn.
 * @throws UserError 'invalid' when the file is not such a CSV.
 */
export const importRsvps = operation(csvFile, async (sent, call): Promise<Import> => {
  const { fresh, known, misfits } = await readRows(sent, call)
  if (misfits.length > 0) return { added: 0, left: 0, known, misfits }
  const { changed, left } = await writeInTurn(fresh, (some) => store(some, call), sent.signal)
  return { added: changed, left, known, misfits }
})

/** `key` is the same for the same row of a file, so that two concurrent imports store it once. */
type KeyedRow = FittingRow & { key: string }

/** `exportedId` is its id in the exporting database, or its id here if it is stored. */
type Marked = Pick<FittingRow, 'exportedId' | 'createdAt' | 'name' | 'email' | 'serviceDate'>

/** A valid row. `row` is its number in the file, `exportedId` its id in the exporting database. */
type FittingRow = EnteredRsvp &
  Pick<StoredRsvp, 'createdAt' | 'changedAt' | 'serviceDate'> & { row: number; exportedId: number | undefined }

/** An invalid row. The sentences quote nothing of it but the names of unknown roles. */
type Misfit = { row: number; sentences: string[] }

type Known = { roles: StoredVolunteerRole[]; schedule: Schedule; now: Date }

const titles = new Map<string, string>(fieldsIn('csv').map(({ name, title }) => [name, title]))
const moment = z.iso.datetime()

function checkRow({ row, cells }: CsvRow, { roles, schedule, now }: Known): FittingRow | Misfit {
  const sentences: string[] = []
  const refuse = (field: FieldName, sentence: string) => sentences.push(`${titles.get(field)}: ${sentence}`)

  const createdAt = momentIn(cells.createdAt ?? '', now)
  if (createdAt === undefined) refuse('createdAt', 'give a moment in UTC that is over, e.g. 2026-11-21T09:30:00.000Z.')
  const changedAt = cells.changedAt ? momentIn(cells.changedAt, now) : null
  if (changedAt === undefined) refuse('changedAt', 'give a moment in UTC that is over, or nothing.')

  const attending = [true, false].find((value) => statusText({ attending: value }) === cells.attending)
  if (attending === undefined) refuse('attending', 'write Attending or Not Attending.')

  const calendarType = calendarFrom(cells.calendarType ?? '')
  if (cells.calendarType && calendarType === undefined) refuse('calendarType', 'write Google Calendar or iCal.')

  const { ids, unknown } = rolesFrom(cells.volunteerSignups ?? '', roles)
  if (unknown.length > 0)
    refuse('volunteerSignups', `there is no role ${unknown.join(', ')}: add it, then import again.`)

  const serviceDate = cells.serviceDate || (createdAt ? nextService(schedule, new Date(createdAt)).date : '')
  if (cells.serviceDate && !calendarDay.safeParse(serviceDate).success)
    refuse('serviceDate', 'give a day, e.g. 2026-11-21.')

  const read = enteredRsvp.safeParse({
    ...{ name: cells.name, email: cells.email, phone: cells.phone, message: cells.message },
    ...{ attending: attending ?? true, calendarType, addToCalendar: calendarType !== undefined },
    ...{ familyMembers: membersFrom(cells.familyMembers ?? ''), volunteerRoles: ids },
  })
  if (!read.success) {
    for (const { path, message } of read.error.issues)
      sentences.push(`${titles.get(String(path[0])) ?? ''}: ${message}`)
  }
  if (!read.success || createdAt === undefined || changedAt === undefined || sentences.length > 0)
    return { row, sentences }
  const exportedId = /^[1-9]\d{0,14}$/.test(cells.id ?? '') ? Number(cells.id) : undefined
  return { ...read.data, row, createdAt, changedAt, serviceDate, exportedId }
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
async function readRows({ file, raw = false, signal }: CsvFile, call: Call) {
  const [roles, schedule, keyedHash, stored] = await Promise.all([
    listEveryVolunteerRole(call),
    readSchedule(),
    readKeyedHash(),
    readKnownMarks(signal),
  ])
  const fitting: KeyedRow[] = []
  const misfits: Misfit[] = []
  for (const [at, csvRow] of readCsv(file, { raw }).entries()) {
    if (at % ROWS_AT_ONCE === 0) await giveTurn(signal)
    const checked = checkRow(csvRow, { roles, schedule, now: call.now })
    if ('sentences' in checked) misfits.push(checked)
    else fitting.push({ ...checked, key: `import ${keyedHash('key', JSON.stringify(checked))}` })
  }
  const byOrigin = Map.groupBy(fitting, (row) => marksOf(row).origin)
  const fresh: KeyedRow[] = []
  const known: number[] = []
  for (const row of fitting) {
    const { person, named, anonymous, renamed, origin } = marksOf(row)
    const marks = [row.key, person, named, anonymous]
    if (row.name === ANONYMOUS) marks.push(origin)
    // Not for rows of the same origin: a clerk may have copied one in a spreadsheet to enter another person with the
    // same email.
    if (row.email !== '' && byOrigin.get(origin)?.length === 1) marks.push(renamed)
    if (marks.some((mark) => stored.has(mark))) known.push(row.row)
    else fresh.push(row)
  }
  fresh.sort((one, other) => (one.exportedId ?? 0) - (other.exportedId ?? 0))
  return { fresh, known, misfits }
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
      const { person, named, renamed, origin } = marksOf({ ...rest, exportedId })
      for (const mark of [rest.key, person, named, renamed, origin]) stored.add(mark)
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
 * Without an email the moment counts too, because several people can have the same name. `anonymous` recognizes one that
 * was made anonymous since, `renamed` one that was renamed since, or whose service changed.
 */
function marksOf({ exportedId, createdAt, name, email, serviceDate }: Marked) {
  const origin = [exportedId, createdAt]
  const identity = identityOf(name)
  const address = email.toLowerCase()
  return {
    person: JSON.stringify([serviceDate, identity, address, email === '' ? createdAt : '']),
    named: JSON.stringify([...origin, 'name', identity]),
    anonymous: JSON.stringify([...origin, 'name', identityOf(ANONYMOUS)]),
    renamed: JSON.stringify([...origin, 'email', address]),
    origin: JSON.stringify(origin),
  }
}

/** In the stored format; undefined for an invalid or future moment. */
function momentIn(text: string, now: Date): string | undefined {
  if (!moment.safeParse(text).success || new Date(text) > now) return undefined
  return new Date(text).toISOString()
}

/**
 * Finds roles by name, including retired ones; of two with the same name, the one on offer. Tries the longest name
 * first, because a name can contain the separator.
 */
function rolesFrom(text: string, roles: StoredVolunteerRole[]): { ids: number[]; unknown: string[] } {
  const known = roles.toSorted(
    (one, other) => other.name.length - one.name.length || Number(one.retired) - Number(other.retired),
  )
  const ids: number[] = []
  const unknown: string[] = []
  for (let rest = text.trim(); rest !== ''; ) {
    const role = known.find(({ name }) => rest === name || rest.startsWith(name + LIST_SEPARATOR))
    const [item = ''] = rest.split(LIST_SEPARATOR, 1)
    if (role !== undefined) ids.push(role.id)
    else if (item.trim() !== '') unknown.push(JSON.stringify(item))
    rest = rest.slice((role?.name ?? item).length + LIST_SEPARATOR.length)
  }
  return { ids, unknown }
}
