import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isPlain } from '#db/foreign-objects.ts'
import { root } from '../local-node.mjs'

const folder = join(root, 'db/migrations')

/** Drizzle's hashes, for `compare` in db/migrate.ts. After an `additive` migration the previous version works. */
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

/** A reference of a new table that goes with the row it names. */
const CASCADE = /FOREIGN KEY \(`\w+`\) REFERENCES `\w+`\(`\w+`\) ON UPDATE no action ON DELETE cascade/g

/**
 * Whether it only adds tables, columns that are nullable or have a default, and indexes that forbid nothing to the tables
 * that were there. False in doubt: a reference can block deletions unless it cascades, a check can refuse what the
 * previous version stores, and other statements can do anything.
 * @internal
 */
export function isAdditive(sql: string): boolean {
  const statements = sql.split('--> statement-breakpoint').map((statement) => statement.trim().replace(/;$/, ''))
  const added = statements.flatMap((statement) => /^CREATE TABLE `(\w+)`/.exec(statement)?.[1] ?? [])
  return statements.every((statement) => {
    const table = /^CREATE UNIQUE INDEX `\w+` ON `(\w+)`/.exec(statement)?.[1]
    if (table !== undefined && added.includes(table) && isPlain(statement)) return true
    return (
      /^(CREATE (TABLE|INDEX)|ALTER TABLE `\w+` ADD) /.test(statement) &&
      !/;|\bAS SELECT\b|\bREFERENCES\b/i.test(statement.replace(CASCADE, '')) &&
      !/^ALTER .*\bCHECK\b/is.test(statement) &&
      isPlain(statement.replace(/^ALTER TABLE (`\w+`) ADD (.*)$/s, 'CREATE TABLE $1 ($2)'))
    )
  })
}
