import { UserError } from './errors.ts'
import { JOURNAL, MAKE_JOURNAL, migrationsAmong, refusalOf } from './migrate.ts'
import { operationWithoutInput } from './operation.ts'
import { openedDatabase } from './storage/client.ts'
import type { Connection } from './storage/connection.ts'
import { listSchema, type SchemaObject } from './storage/tables.ts'

type Source = Pick<Connection, 'read' | 'isServer'>

/** Left behind by ANALYZE, whichever tool ran it. SQLite reads them before anything else. */
const STATISTICS = ['CREATE TABLE sqlite_stat1(tbl,idx,stat)', 'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)']

/** A string, a quoted name, or the beginning of a comment. */
const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--|\/\*/g

/** The most objects that a sentence names, and the most characters of each. */
const NAMED_MAXIMUM = 20
const NAME_LENGTH_MAXIMUM = 80

/**
 * Lists the objects that the migrations did not create, e.g. `trigger stay on sessions`, and those that are missing.
 * Call it before any other read or write: a trigger runs at the next write, a view or an expression at the next read.
 * @throws UserError 'configuration' for a database of another program.
 */
export async function findForeignObjects(source: Source): Promise<string[]> {
  const isOfServer = ({ type, table }: SchemaObject) => /^(table|index)$/.test(type) && table.startsWith('libsql_')
  const present = (await listSchema(source)).filter((object) => !(source.isServer && isOfServer(object)))
  if (present.length === 0) return []
  const journal = present.find(({ name }) => name === JOURNAL)
  if (journal === undefined) throw refusalOf('foreign')
  const { schemaMadeBy } = await import('./storage/local-client.ts')
  // The journal says which migrations created the rest.
  if (!schemaMadeBy([MAKE_JOURNAL]).some((made) => isSame(made, journal))) return [titleOf(journal)]
  const { rows } = await source.read({ sql: `SELECT hash FROM ${JOURNAL}`, args: [] })
  const { statements, areAll } = migrationsAmong(rows.map((row) => String(row[0])))
  const made = schemaMadeBy([MAKE_JOURNAL, ...statements])
  const foreign = present
    .filter((object) => !made.some((own) => isSame(own, object)))
    .filter((object) => !STATISTICS.includes(object.sql ?? ''))
    // The objects of a newer version are unknown here.
    .filter((object) => areAll || !(object.sql === null ? isAutomatic(object) : isPlain(object.sql)))
  const missing = areAll ? made.filter(({ name }) => !present.some((object) => object.name === name)) : []
  return [...foreign.map(titleOf), ...missing.map((object) => `${titleOf(object)} is missing`)]
}

export const findForeignHere = operationWithoutInput(() => findForeignObjects(openedDatabase()))

/** @throws UserError 'configuration' that names objects which the migrations did not create. */
export async function assertOwnObjects(source: Source, title: string): Promise<void> {
  refuseForeign(title, await findForeignObjects(source))
}

/** @throws UserError 'configuration' if anything was found. */
export function refuseForeign(title: string, found: string[]): void {
  if (found.length === 0) return
  const todo = 'Nothing was changed. Change it back, or restore a backup: `rsvp backup restore FILE`.'
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
 * Whether this creates a table or an index that can run nothing: no trigger, view or virtual table, and no expression
 * but comparisons of a column with a constant.
 */
export function isPlain(sql: string): boolean {
  const bare = sql.replaceAll(QUOTED, bareOf).replaceAll(/\bCHECK *\([\w.]+ = \d+\)/gi, '')
  const table = /^CREATE TABLE [\w\s,().+-]+$/i.test(bare) && !/\b(CHECK|AS|GENERATED)\b|\bDEFAULT\s*\(/i.test(bare)
  return table || /^CREATE (UNIQUE )?INDEX \w+ ON \w+ *\([\w\s,]+\)( WHERE [\w\s=<>]+)?$/i.test(bare)
}

/** An index that SQLite creates for a constraint. */
function isAutomatic({ type, name }: SchemaObject): boolean {
  return type === 'index' && name.startsWith('sqlite_autoindex_')
}

/** Strings become `0` and simple names lose their quotes; a comment or an odd name becomes `?`, which is not plain. */
function bareOf(quoted: string): string {
  if (quoted.startsWith("'")) return '0'
  return /^[`"]\w+[`"]$/.test(quoted) ? quoted.slice(1, -1) : '?'
}
