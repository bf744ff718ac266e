import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../local-node.mjs'
import { isAdditive } from './additive-migration.ts'

const folder = join(root, 'db/migrations')

/**
 * All migrations by their hashes as drizzle makes them; they are part of the build: see `compare` in db/migrate.ts.
 * `additive` are those after which the version before works as it did.
 */
export function migrationHashes(): string {
  const { entries }: { entries: { tag: string }[] } = JSON.parse(
    readFileSync(join(folder, 'meta/_journal.json'), 'utf8'),
  )
  const migrations = entries.map(({ tag }) => {
    const sql = readFileSync(join(folder, `${tag}.sql`), 'utf8')
    return { hash: createHash('sha256').update(sql).digest('hex'), additive: isAdditive(sql) }
  })
  return `${JSON.stringify(migrations, null, 2)}\n`
}
