import { isPlain } from '#db/foreign-objects.ts'

/**
 * New tables, new columns, which may be empty or have a default, and indexes that forbid nothing. In doubt it is more: what
 * refers to another table may keep its rows from being deleted, a check what the version before would store, and what could
 * run something the version before refuses.
 */
export function isAdditive(sql: string): boolean {
  const statements = sql.split('--> statement-breakpoint').map((statement) => statement.trim().replace(/;$/, ''))
  return statements.every(
    (statement) =>
      /^(CREATE (TABLE|INDEX)|ALTER TABLE `\w+` ADD) /.test(statement) &&
      !/;|\bAS SELECT\b|\bREFERENCES\b/i.test(statement) &&
      !/^ALTER .*\bCHECK\b/is.test(statement) &&
      isPlain(statement.replace(/^ALTER TABLE (`\w+`) ADD (.*)$/s, 'CREATE TABLE $1 ($2)')),
  )
}
