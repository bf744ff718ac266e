/** A text, a name in any of SQLite's quotation marks, or the beginning of a comment. */
const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--|\/\*/g

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

/**
 * Whether it is a table or an index that can run nothing: no trigger, view or virtual table, and no expression in it but
 * comparisons of a column with a constant.
 */
function isPlain(sql: string): boolean {
  const bare = sql.replaceAll(QUOTED, bareOf).replaceAll(/\bCHECK *\([\w.]+ = \d+\)/gi, '')
  const table = /^CREATE TABLE [\w\s,().+-]+$/i.test(bare) && !/\b(CHECK|AS|GENERATED)\b|\bDEFAULT\s*\(/i.test(bare)
  return table || /^CREATE (UNIQUE )?INDEX \w+ ON \w+ *\([\w\s,]+\)( WHERE [\w\s=<>]+)?$/i.test(bare)
}

/** What no longer hides anything; a comment or an odd name stays as it is, which is not plain. */
function bareOf(quoted: string): string {
  if (quoted.startsWith("'")) return '0'
  return /^[`"]\w+[`"]$/.test(quoted) ? quoted.slice(1, -1) : '?'
}
