import * as z from 'zod/mini'
import { audit } from '#db/audit.ts'
import { type Call, parseInput } from '#db/call.ts'
import { readKeyedHash } from '#db/keyed-hash.ts'
import { readSchedule } from '#db/schedule.ts'
import { db, transaction } from '#db/storage/client.ts'
import { rsvps } from '#db/tables/rsvp.ts'
import { membersIn } from '#db/values/people.ts'
import { calendarTypes, type StoredRsvp, WRITE_BATCH_SIZE } from '#db/values/rsvp.ts'
import { calendarText, type FieldName, fieldsIn, itemsOf, memberFrom, membersOf } from '#db/values/rsvp-fields.ts'
import type { StoredSchedule } from '#db/values/schedule.ts'
import { nextService } from '#db/values/services.ts'
import type { StoredVolunteerRole } from '#db/values/volunteer-role.ts'
import { personOf } from './duplicates.ts'
import { checkedEntry, type EnteredRsvp } from './entry.ts'
import { type CsvRow, type DatesOfFile, dateOrders, readCsv, readDay, readMoment } from './read-csv.ts'
import { listEveryVolunteerRole } from './roles.ts'
import { insertRsvps } from './write.ts'

const csvFile = z.object({
  file: z.instanceof(Uint8Array),
  /** What columns hold that do not have our titles, e.g. `Your name?=Name`. */
  map: z.optional(z.array(z.string())),
  /** What comes first in dates such as 3/4/2026. */
  dates: z.optional(z.enum(dateOrders)),
})

/** How many rows an import adds, and which exist already or are invalid. */
export type Import = {
  added: number
  known: number[]
  misfits: Misfit[]
  /** The titles of the columns that it does not read. */
  ignored: string[]
  /** Whether the file says when each response came. */
  isDated: boolean
}

/** An invalid row. The sentences quote nothing of it but the names of unknown roles. */
type Misfit = { row: number; sentences: string[] }

/**
 * Tells what the import of a CSV would do, and changes nothing.
 * @throws UserError 'invalid' when the file is not CSV, or lacks a column.
 */
export async function previewImport(input: unknown, call: Call): Promise<Import> {
  const sent = parseInput(csvFile, input)
  const { fresh, ...others } = await readRows(sent, call)
  return { added: fresh.length, ...others }
}

/**
 * Stores the new rows of a CSV; none if one is invalid. Importing the same file again adds nothing.
 * @throws as `previewImport` does.
 */
export async function importRsvps(input: unknown, call: Call): Promise<Import> {
  const sent = parseInput(csvFile, input)
  const { fresh, ...others } = await readRows(sent, call)
  return { added: others.misfits.length > 0 ? 0 : await store(fresh, call), ...others }
}

/** A valid row; `exportedId` is its id in the exporting database. */
type FittingRow = EnteredRsvp &
  Pick<StoredRsvp, 'createdAt' | 'changedAt' | 'serviceDate'> & { exportedId: number | undefined }

/** `key` is the same for the same row of a file, so that two concurrent imports store it once. */
type KeyedRow = FittingRow & { key: string }

async function store(rows: KeyedRow[], call: Call): Promise<number> {
  return transaction(async (tx) => {
    let added = 0
    for (let done = 0; done < rows.length; done += WRITE_BATCH_SIZE) {
      const batch = rows.slice(done, done + WRITE_BATCH_SIZE).map((row) => ({ ...row, bodyHash: null }))
      added += (await insertRsvps(tx, batch)).length
    }
    if (added > 0) await audit(tx, call, 'responses imported', String(added))
    return added
  })
}

/** Sorts the new rows by their exported ids, so that they get new ids in the same order. */
async function readRows({ file, map, dates: order }: z.output<typeof csvFile>, call: Call) {
  const { fields, rows, ignored } = readCsv(file, map)
  const [roles, schedule, keyedHash, stored] = await Promise.all([
    listEveryVolunteerRole(),
    readSchedule(),
    readKeyedHash(),
    readKnownMarks(),
  ])
  const isExport = fields.includes('id') && fields.includes('serviceDate')
  const isDated = fields.includes('createdAt')
  const dates = { order, zone: isExport ? 'UTC' : schedule.timeZone, now: call.now }
  const fresh: KeyedRow[] = []
  const known: number[] = []
  const misfits: Misfit[] = []
  for (const csvRow of rows) {
    const checked = checkRow(csvRow, { isExport, isDated, roles, schedule, dates })
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
  return { fresh, known, misfits, ignored, isDated }
}

/** `isExport`: the columns are those of `rsvp export`. */
type OfFile = {
  isExport: boolean
  isDated: boolean
  roles: StoredVolunteerRole[]
  schedule: StoredSchedule
  dates: DatesOfFile
}

const titles = new Map<string, string>(fieldsIn('csv').map(({ name, title }) => [name, title]))

function checkRow({ row, cells }: CsvRow, { isExport, isDated, roles, schedule, dates }: OfFile): FittingRow | Misfit {
  const sentences: string[] = []
  const refuse = (field: FieldName, sentence: string) => sentences.push(`${titles.get(field)}: ${sentence}`)

  const createdAt = isDated ? readMoment(cells.createdAt ?? '', dates) : dates.now.toISOString()
  if (createdAt === undefined) refuse('createdAt', notMoment)
  const changedAt = cells.changedAt ? readMoment(cells.changedAt, dates) : null
  if (changedAt === undefined) refuse('changedAt', notMoment)
  const attending = attendingFrom(cells.attending ?? '')
  if (attending === undefined) refuse('attending', 'write Attending or Not Attending, or Yes or No.')
  const volunteerRoles = itemsOf(cells.volunteerSignups ?? '').flatMap((name) => {
    const role = findRole(name, roles)
    if (role === undefined)
      refuse('volunteerSignups', `there is no role ${JSON.stringify(name)}: add it, then import again.`)
    return role?.id ?? []
  })
  const next = createdAt ? nextService(schedule, new Date(createdAt)).date : ''
  const serviceDate = cells.serviceDate ? (readDay(cells.serviceDate, dates.order) ?? '') : next
  if (cells.serviceDate && serviceDate === '') refuse('serviceDate', 'give a day, e.g. 2026-11-21, or see --dates.')
  const calendarType = calendarTypes.find((type) => calendarText({ calendarType: type }) === cells.calendarType)

  const read = checkedEntry.safeParse({
    name: cells.name,
    email: cells.email,
    phone: cells.phone,
    message: cells.message,
    attending: attending ?? true,
    calendarType,
    addToCalendar: calendarType !== undefined,
    familyMembers: (isExport && cells.id ? membersOf : membersFrom)(cells.familyMembers ?? ''),
    volunteerRoles,
    serviceDate,
  })
  for (const { path, message } of read.error?.issues ?? [])
    sentences.push(`${titles.get(String(path[0])) ?? ''}: ${message}`)
  if (!read.success || createdAt === undefined || changedAt === undefined || sentences.length > 0)
    return { row, sentences }
  const exportedId = /^[1-9]\d{0,14}$/.test(cells.id ?? '') ? Number(cells.id) : undefined
  return { ...read.data, createdAt, changedAt, serviceDate, exportedId }
}

const notMoment = 'give a moment that is over, e.g. 2026-11-21 09:30, or see --dates.'

/** The role of a name, even a retired one; of two with the same name, the one on offer. */
function findRole(name: string, roles: StoredVolunteerRole[]): StoredVolunteerRole | undefined {
  const named = roles.filter((role) => role.name === name)
  return named.find(({ retired }) => !retired) ?? named[0]
}

/** The members in a list as people write it, also in lines, with commas or with ages: `Joel (4), Dina (teen)`. */
export function membersFrom(text: string) {
  if (noOne.test(text.trim())) return []
  return membersIn(text).map(({ name, age }) => ({ ...memberFrom(name), ...(age && { age }) }))
}

const noOne = /^(?:none|n\/a|no|-|nein|keine|non|aucun|ninguno|nenhum|없음|لا)\.?$/i

const yes =
  /^(yes|y|true|1|x|✓|attending|coming|ja|wahr|oui|vrai|s[ií]|verdadero|sim|verdadeiro|예|네|نعم)(?=$|[,.!;])/i
const no =
  /^(no|n|false|0|(not|can't|cannot|can’t) (attending|attend|coming|come)|nein|falsch|non|faux|falso|não|아니요|لا)(?=$|[,.!;])/i

/** Whether the sender comes, as our CSV or another list says it; undefined for anything else, e.g. Maybe. */
function attendingFrom(text: string): boolean | undefined {
  const word = text.normalize('NFKC').trim()
  if (yes.test(word)) return true
  return no.test(word) ? false : undefined
}

/** The marks of all stored responses, including deleted ones. */
async function readKnownMarks(): Promise<Set<string>> {
  const { id: exportedId, key, createdAt, name, email, serviceDate } = rsvps
  const rows = await db.select({ exportedId, key, createdAt, name, email, serviceDate }).from(rsvps)
  return new Set(rows.flatMap((row) => [row.key, ...marksOf(row)]))
}

/**
 * The marks by which a response is recognized: its sender and service; and its id and moment, even if it was changed or
 * made anonymous since it was exported. Moments are compared by the minute: a spreadsheet drops the rest.
 */
function marksOf(sent: Pick<FittingRow, 'exportedId' | 'createdAt' | 'name' | 'email' | 'serviceDate'>): string[] {
  const { exportedId, createdAt } = sent
  const minute = createdAt.slice(0, 'yyyy-MM-ddTHH:mm'.length)
  return exportedId === undefined ? [personOf(sent)] : [personOf(sent), JSON.stringify([exportedId, minute])]
}
