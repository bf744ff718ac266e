import { getTableConfig, SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import { expect, it } from 'vitest'
import { describeOnBothDatabases } from '#db/fixtures.ts'
import { openedDatabase, transaction } from '#db/storage/client.ts'
import { allowances, passwords, sessions, signInAttempts } from './table.ts'

/** What the migrations really made of a table. */
async function made(table: string) {
  const columns = await readRows(`SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info('${table}')`)
  const indexes = await readRows(
    `SELECT name, "unique" FROM pragma_index_list('${table}') WHERE origin = 'c' ORDER BY name`,
  )
  const [[definition] = []] = await readRows(`SELECT sql FROM sqlite_master WHERE name = '${table}'`)
  return { columns, indexes, definition: String(definition) }
}

async function readRows(sql: string) {
  const { rows } = await openedDatabase().read({ sql, args: [] })
  return rows.map((row) => Array.from(row))
}

describeOnBothDatabases('the tables of access', () => {
  it.each([passwords, sessions, signInAttempts, allowances])('are as they are written down', async (table) => {
    const { name, columns, checks, indexes } = getTableConfig(table)
    const { columns: real, indexes: realIndexes, definition } = await made(name)
    expect(real).toEqual(
      columns.map((column) => [
        column.name,
        column.getSQLType().toUpperCase(),
        Number(column.notNull),
        column.default === undefined ? null : String(column.default),
        Number(column.primary),
      ]),
    )
    const unique = columns.flatMap((column) => (column.isUnique ? [[column.uniqueName, 1]] : []))
    const named = indexes.map(({ config }) => [config.name, Number(config.unique)])
    expect(realIndexes).toEqual([...unique, ...named])
    for (const check of checks) {
      const { sql } = new SQLiteSyncDialect().sqlToQuery(check.value)
      expect(definition).toContain(`CONSTRAINT "${check.name}" CHECK(${sql})`)
    }
    expect(definition.match(/CHECK\(/g) ?? []).toHaveLength(checks.length)
    expect(/AUTOINCREMENT/i.test(definition)).toBe(
      columns.some((column) => 'autoIncrement' in column && column.autoIncrement === true),
    )
  })

  it('hold one password only', async () => {
    const second = transaction((tx) => tx.insert(passwords).values({ id: 2, hash: 'x' }))
    await expect(second).rejects.toThrow('SQLITE_CONSTRAINT')
  })
})
