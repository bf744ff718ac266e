import { UserError } from './errors.ts'
import { JOURNAL, MAKE_JOURNAL, migrationsAmong, refusalOf } from './migrate.ts'
import { operationWithoutInput } from './operation.ts'
import { openedDatabase } from './storage/client.ts'
import type { Connection } from './storage/connection.ts'
import { listSchema, type SchemaObject } from './storage/tables.ts'
import { MARKER } from './transfer/staging.ts'

type Source = Pick<Connection, 'read' | 'isServer'>

/** Whatever makes SQLite analyze a database leaves them behind. SQLite reads them before anything else. */
const STATISTICS = ['CREATE TABLE sqlite_stat1(tbl,idx,stat)', 'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)']

/** A text, a name in any of SQLite's quotation marks, or the beginning of a comment. */
const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--|\/\*/g

/** More are not named in a sentence, nor more of a name. */
const NAMED_MAXIMUM = 20
const NAME_LENGTH_MAXIMUM = 80

/**
 * Tells what a database holds that its migrations did not make, e.g. `trigger stay on sessions`, and what is missing. A
 * trigger runs at our next write, a view or an expression at our next read: nothing else may be read or written before.
 * @throws UserError 'configuration' when the tables are those of another program, or it is incomplete.
 */
export async function findForeignObjects(source: Source): Promise<string[]> {
  const isOfServer = ({ type, table }: SchemaObject) => /^(table|index)$/.test(type) && table.startsWith('libsql_')
  const present = (await listSchema(source)).filter((object) => !(source.isServer && isOfServer(object)))
  if (present.length === 0) return []
  if (present.some(({ name }) => name === MARKER)) throw refusalOf('incomplete')
  const journal = present.find(({ name }) => name === JOURNAL)
  if (journal === undefined) throw refusalOf('foreign')
  const { schemaMadeBy } = await import('./storage/local-client.ts')
  // The journal says which migrations made the rest.
  if (!schemaMadeBy([MAKE_JOURNAL]).some((made) => isSame(made, journal))) return [titleOf(journal)]
  const { rows } = await source.read({ sql: `SELECT hash FROM ${JOURNAL}`, args: [] })
  const { statements, areAll } = migrationsAmong(rows.map((row) => String(row[0])))
  const made = schemaMadeBy([MAKE_JOURNAL, ...statements])
  const foreign = present
    .filter((object) => !made.some((own) => isSame(own, object)))
    .filter((object) => !STATISTICS.includes(object.sql ?? ''))
    // What a newer version made is unknown here.
    .filter((object) => areAll || !(object.sql === null ? isAutomatic(object) : isPlain(object.sql)))
  const missing = areAll ? made.filter(({ name }) => !present.some((object) => object.name === name)) : []
  return [...foreign.map(titleOf), ...missing.map((object) => `${titleOf(object)} is missing`)]
}

export const findForeignHere = operationWithoutInput(() => findForeignObjects(openedDatabase()))

/** @throws UserError 'configuration' that names what the migrations of a database did not make. */
export async function assertOwnObjects(source: Source, title: string): Promise<void> {
  const found = await findForeignObjects(source)
  if (found.length === 0) return
  const todo = 'Nothing was changed. Restore a backup that passes `rsvp backup verify`.'
  throw new UserError('configuration', `${foreignSentence(title, found)} ${todo}`)
}

export function foreignSentence(title: string, found: string[]): string {
  const more = found.length > NAMED_MAXIMUM ? [`${found.length - NAMED_MAXIMUM} more`] : []
  return `${title} differs from what this site creates: ${[...found.slice(0, NAMED_MAXIMUM), ...more].join(', ')}.`
}

function isSame(one: SchemaObject, other: SchemaObject): boolean {
  return one.type === other.type && one.name === other.name && one.table === other.table && one.sql === other.sql
}

function titleOf({ type, name, table }: SchemaObject): string {
  return `${type} ${name}${name === table ? '' : ` on ${table}`}`.slice(0, NAME_LENGTH_MAXIMUM)
}

/**
 * Whether this makes a table or an index that can run nothing: no trigger, view or virtual table, and no expression in it but
 * comparisons of a column with a constant.
 */
export function isPlain(sql: string): boolean {
  const bare = sql.replaceAll(QUOTED, bareOf).replaceAll(/\bCHECK *\([\w.]+ = \d+\)/gi, '')
  const table = /^CREATE TABLE [\w\s,().+-]+$/i.test(bare) && !/\b(CHECK|AS|GENERATED)\b|\bDEFAULT\s*\(/i.test(bare)
  return table || /^CREATE (UNIQUE )?INDEX \w+ ON \w+ *\([\w\s,]+\)( WHERE [\w\s=<>]+)?$/i.test(bare)
}

/** An index that SQLite makes for a constraint of a table. */
function isAutomatic({ type, name }: SchemaObject): boolean {
  return type === 'index' && name.startsWith('sqlite_autoindex_')
}

/** What no longer hides anything; a comment or an odd name stays as it is, which is not plain. */
function bareOf(quoted: string): string {
  if (quoted.startsWith("'")) return '0'
  return /^[`"]\w+[`"]$/.test(quoted) ? quoted.slice(1, -1) : '?'
}
