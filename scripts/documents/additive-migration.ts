/** New tables, new columns, which may be empty or have a default, and indexes that forbid nothing. */
export function isAdditive(sql: string): boolean {
  const statements = sql.split('--> statement-breakpoint').map((statement) => statement.trim())
  return statements.every((statement) => /^(CREATE (TABLE|INDEX)|ALTER TABLE `\w+` ADD) /.test(statement))
}
