import { UserError } from '#db/errors.ts'
import type { Connection } from './connection.ts'

/**
 * What SQLite finds wrong in a database, page by page and row by row; nothing when all is well. Reads all of it:
 * 136 ms for 100,000 responses.
 */
export async function damageIn({ read }: Pick<Connection, 'read'>): Promise<string[]> {
  try {
    const pages = await read({ sql: 'SELECT * FROM pragma_integrity_check(10)', args: [] })
    const orphans = await read({ sql: 'SELECT DISTINCT "table" FROM pragma_foreign_key_check', args: [] })
    return [
      ...pages.rows.flatMap((row) => String(row[0]).split('\n')).filter((line) => !/^(ok|\*.*|)$/.test(line)),
      ...orphans.rows.map((row) => `A row of ${row[0]} belongs to nothing.`),
    ]
  } catch (error) {
    // Some damage is met before it can be listed.
    if (error instanceof UserError && error.code === 'damaged') return ['it cannot be read']
    throw error
  }
}
