import { readMigrations } from '#db/migrate.ts'

/** The hashes of all migrations, which are part of the build: see `compare` in db/migrate.ts. */
export function migrationHashes(): string {
  const hashes = readMigrations().map(({ hash }) => hash)
  return `${JSON.stringify(hashes, null, 2)}\n`
}
