import { isUtf8 } from 'node:buffer'
import { getTableColumns, getTableName, type Column as TableColumn } from 'drizzle-orm'
import { findForeignObjects, foreignSentence } from '#db/migrate.ts'
import { openedDatabase } from '#db/storage/client.ts'
import { checkIntegrity } from '#db/storage/integrity.ts'
import { listTables, quoteIdentifier, type Source } from '#db/storage/tables.ts'
import { administrators } from '#db/tables/access.ts'
import { churches, eventTranslations, storedSettings } from '#db/tables/invitation.ts'
import { familyMembers, prayers, rsvps, standingRsvps } from '#db/tables/rsvp.ts'
import { isTimeZone } from '#db/values/dates.ts'
import { MESSAGE_MAXIMUM } from '#db/values/limits.ts'
import { CLOSING_MAXIMUM, DURATION_MAXIMUM } from '#db/values/schedule.ts'
import { EMAIL_MAXIMUM, PERSON_NAME_MAXIMUM } from '#db/values/schemas.ts'

/** The longest text in any column, in bytes. */
const TEXT_MAXIMUM = 64 * 1024
/** The longest text in these columns, in UTF-16 code units of at most three bytes each. */
const maximums: Record<string, number> = {
  name: PERSON_NAME_MAXIMUM,
  email: EMAIL_MAXIMUM,
  phone: PERSON_NAME_MAXIMUM,
  message: MESSAGE_MAXIMUM,
  text: MESSAGE_MAXIMUM,
}
/** Tables whose enum and JSON columns are checked. Other enums, e.g. the acts of the audit, lose values in later versions. */
const described = [
  rsvps,
  familyMembers,
  prayers,
  standingRsvps,
  administrators,
  storedSettings,
  eventTranslations,
  churches,
]
/** The ranges of these integer columns; others may hold any safe integer. */
const ranges: Record<string, [number, number]> = {
  weekday: [0, 6],
  duration_minutes: [1, DURATION_MAXIMUM],
  closes_minutes_before: [0, CLOSING_MAXIMUM],
}
/** By column, an SQL condition for texts of the right length that pages cannot read. */
const unreadable: [RegExp, (value: string) => string][] = [
  [/^schedules\.start_time$/, (value) => `time(${value}) IS NOT ${value} || ':00'`],
  [/_date$|_until$|_service$|\.since$|^skipped_dates\.date$/, (value) => `date(${value}) IS NOT ${value}`],
  [/_at$|\.at$/, isOtherThanMoment],
]
const NOT_ASCII = `GLOB '*[^' || char(1) || '-' || char(127) || ']*'`

type Column = { table: string; name: string; type: string }

/**
 * Lists the columns with values of another type, length or format than this site stores, e.g.
 * `rsvps.name (2 of another form)`, never the values: one such row can make a page fail or take a minute. Call it for a
 * file whose objects and pages are sound.
 */
async function findForeignValues(source: Source): Promise<string[]> {
  const found: string[] = []
  for (const { name: table } of await listTables(source))
    for (const column of await columnsOf(source, table)) {
      const count = await countForeign(source, column)
      if (count > 0) found.push(`${table}.${column.name} (${count} of another form)`)
    }
  return found
}

export type Trouble = { code: 'configuration' | 'damaged'; sentence: string }

/**
 * Why a database must not be used: foreign objects, which any read could run; damage; foreign values.
 * @param title names the database in the sentence.
 * @param isWhole false to look for foreign objects only.
 */
export async function findTrouble(
  source: Parameters<typeof findForeignObjects>[0],
  title: string,
  isWhole = true,
): Promise<Trouble | undefined> {
  const objects = await findForeignObjects(source)
  if (objects.length > 0) return { code: 'configuration', sentence: foreignSentence(title, objects) }
  if (!isWhole) return undefined
  const [damage] = await checkIntegrity(source)
  if (damage !== undefined) return { code: 'damaged', sentence: `${title} is damaged (${damage}).` }
  const values = await findForeignValues(source)
  return values.length === 0 ? undefined : { code: 'configuration', sentence: foreignSentence(title, values) }
}

export function findTroubleHere(title: string): Promise<Trouble | undefined> {
  return findTrouble(openedDatabase(), title)
}

async function countForeign({ read }: Source, column: Column): Promise<number> {
  const value = quoteIdentifier(column.name)
  const from = `FROM ${quoteIdentifier(column.table)}`
  const counted = await read({ sql: `SELECT count(*) ${from} WHERE ${foreignCondition(column)}`, args: [] })
  const count = Number(counted.rows[0]?.[0])
  if (count > 0 || column.type !== 'TEXT') return count
  // Read as bytes, because the driver ends the process at a text that is not UTF-8.
  const isZone = column.name === 'time_zone'
  const where = isZone ? 'true' : `${value} ${NOT_ASCII}`
  const texts = await read({ sql: `SELECT CAST(${value} AS BLOB) ${from} WHERE ${where}`, args: [] })
  const isForeign = (bytes: ArrayBuffer) => !isUtf8(bytes) || (isZone && !isTimeZone(Buffer.from(bytes).toString()))
  return texts.rows.filter(({ 0: bytes }) => bytes instanceof ArrayBuffer && isForeign(bytes)).length
}

async function columnsOf({ read }: Source, table: string): Promise<Column[]> {
  const { rows } = await read({ sql: 'SELECT name, upper(type) FROM pragma_table_info(?)', args: [table] })
  const columns = rows.map((row) => ({ table, name: String(row[0]), type: String(row[1]) }))
  return columns.filter(({ type }) => type === 'TEXT' || type === 'INTEGER')
}

function foreignCondition({ table, name, type }: Column): string {
  const value = quoteIdentifier(name)
  if (type === 'INTEGER') {
    const [least, most] = ranges[name] ?? [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
    return `${value} IS NOT NULL AND (typeof(${value}) <> 'integer' OR ${value} NOT BETWEEN ${least} AND ${most})`
  }
  const known = described.find((each) => getTableName(each) === table)
  const column = known && Object.values<TableColumn>(getTableColumns(known)).find((each) => each.name === name)
  const maximum = known && maximums[name]
  const bytes = maximum === undefined ? TEXT_MAXIMUM : 3 * maximum
  const wrong = [`typeof(${value}) <> 'text'`, `octet_length(${value}) > ${bytes}`]
  const isUnreadable = unreadable.find(([columns]) => columns.test(`${table}.${name}`))?.[1]
  if (isUnreadable !== undefined) wrong.push(isUnreadable(value))
  const list = column?.enumValues?.map((each) => `'${each}'`)
  if (list !== undefined) wrong.push(`${value} NOT IN (${list.join(', ')})`)
  if (column?.dataType === 'json') wrong.push(isOtherJson(value, column.name))
  return `${value} IS NOT NULL AND (${wrong.join(' OR ')})`
}

/** The pattern is needed because SQLite also reads `now` and numbers as moments. */
function isOtherThanMoment(value: string): string {
  return `(${value} NOT GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T*' OR datetime(${value}) IS NULL)`
}

/** An SQL condition for JSON that is not the list or object of this column, or whose members lack a name. */
function isOtherJson(value: string, name: string): string {
  const type = name === 'roles' ? 'object' : 'array'
  const isMember = `iif(each.type = 'object', json_type(each.value, '$.name') IS 'text', false)`
  const isElement = name === 'family_members' ? isMember : `each.type <> 'object'`
  return `CASE WHEN NOT json_valid(${value}) OR json_type(${value}) <> '${type}' THEN true
    ELSE EXISTS (SELECT 1 FROM json_each(${value}) AS each WHERE NOT ${isElement}) END`
}
