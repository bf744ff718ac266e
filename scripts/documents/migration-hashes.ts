import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../local-node.mjs'

const folder = join(root, 'db/migrations')

/** The hashes of all migrations as drizzle makes them; they are part of the build: see `compare` in db/migrate.ts. */
export function migrationHashes(): string {
  const { entries }: { entries: { tag: string }[] } = JSON.parse(
    readFileSync(join(folder, 'meta/_journal.json'), 'utf8'),
  )
  const hashes = entries.map(({ tag }) =>
    createHash('sha256')
      .update(readFileSync(join(folder, `${tag}.sql`)))
      .digest('hex'),
  )
  return `${JSON.stringify(hashes, null, 2)}\n`
}
