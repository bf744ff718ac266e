import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { root } from '../local-node.mjs'

/** The hashes of all migrations, which are part of the build: see `compare` in db/migrate.ts. */
export function migrationHashes(): string {
  const migrations = readMigrationFiles({ migrationsFolder: join(root, 'db/migrations') })
  const hashes = migrations.map(({ hash }) => hash)
  return `${JSON.stringify(hashes, null, 2)}\n`
}
