import { JOURNAL, MAKE_JOURNAL, refusalOf, statementsThatMade } from './migrate.ts'
import type { Connection } from './storage/connection.ts'
import { listSchema, type SchemaObject } from './storage/tables.ts'

type Source = Pick<Connection, 'read' | 'isServer'>

/** Left behind by ANALYZE, whichever tool ran it. SQLite reads them before anything else. */
const STATISTICS = ['CREATE TABLE sqlite_stat1(tbl,idx,stat)', 'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)']

/** The most objects that a sentence names, and the most characters of each. */
const NAMED_MAXIMUM = 20
const NAME_LENGTH_MAXIMUM = 80

/**
 * Lists the objects that the migrations did not create, e.g. `trigger stay on sessions`, and those that are missing.
 * Call it before any other read or write: a trigger runs at the next write, a view or an expression at the next read.
 * @throws UserError 'configuration' for a database of another program or a newer version.
 */
export async function findForeignObjects(source: Source): Promise<string[]> {
  const isOfServer = ({ type, table }: SchemaObject) => /^(table|index)$/.test(type) && table.startsWith('libsql_')
  const present = (await listSchema(source)).filter((object) => !(source.isServer && isOfServer(object)))
  if (present.length === 0) return []
  const journal = present.find(({ name }) => name === JOURNAL)
  if (journal === undefined) throw refusalOf('foreign')
  const { schemaMadeBy } = await import('./storage/local-client.ts')
  // It says which migrations created the rest.
  if (!schemaMadeBy([MAKE_JOURNAL]).some((made) => isSame(made, journal))) return [titleOf(journal)]
  const made = schemaMadeBy(await statementsThatMade(source))
  const foreign = present
    .filter((object) => !made.some((own) => isSame(own, object)))
    .filter((object) => !STATISTICS.includes(object.sql ?? ''))
  const missing = made.filter(({ name }) => !present.some((object) => object.name === name))
  return [...foreign.map(titleOf), ...missing.map((object) => `${titleOf(object)} is missing`)]
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
