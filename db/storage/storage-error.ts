import { DAMAGED, UserError } from '#db/values/errors.ts'

/** The code of errors that do not come from the database, e.g. for a value that no column accepts. */
const UNKNOWN = 'UNKNOWN'

/** The kinds of SQLite errors that are distinguished here, by their number. */
const KINDS = new Map([
  [1, 'SQLITE_ERROR'],
  [5, 'SQLITE_BUSY'],
  [6, 'SQLITE_LOCKED'],
  [8, 'SQLITE_READONLY'],
  [11, 'SQLITE_CORRUPT'],
  [19, 'SQLITE_CONSTRAINT'],
])

/**
 * Whether another process holds the lock or has replaced the file. Nothing was stored then, so a retry is safe. SQLITE_OK
 * is a COMMIT that failed in its thread while a statement was garbage-collected, which overwrites the reason; a retry
 * reveals it.
 */
export function isTransient(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED|READONLY_DBMOVED|OK$)/.test(storageCode(error))
}

/** E.g. SQLITE_FULL. The message is never shown or logged, because it can contain personal data. */
function storageCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : UNKNOWN
  // The driver does not name every variant, e.g. UNKNOWN_SQLITE_ERROR_1544 for a folder that is write-protected. The last
  // byte of its number is the kind.
  const [, variant] = /^UNKNOWN_SQLITE_ERROR_(\d+)$/.exec(code) ?? []
  return KINDS.get(Number(variant) & 0xff) ?? code
}

/** Turns a failure of the storage into a UserError, and one of our SQL into an error without its values. */
export function explainStorageError(error: unknown): unknown {
  if (error instanceof UserError) return error
  const code = storageCode(error)
  // A libSQL server takes values of 5 MB at most.
  if (code === 'ARGS_INVALID' && error instanceof Error && error.message.endsWith('too big')) {
    return new UserError(
      'too-large',
      'This is more than the libSQL server takes at once. Send it in parts: of a CSV, 10,000 rows at a time.',
    )
  }
  if (/^(SQL_|SQLITE_(CONSTRAINT|ERROR|MISMATCH|RANGE|MISUSE|TOOBIG))/.test(code)) {
    return new Error(`The database refused a statement (${code}).`)
  }
  if (code.startsWith('SQLITE_FULL')) {
    return new UserError('full', 'The disk is full, so nothing can be stored. Make room, then try again.')
  }
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) {
    return new UserError('damaged', DAMAGED)
  }
  if (code.startsWith('SQLITE_READONLY')) {
    return new UserError(
      'unavailable',
      'The database can only be read: its file, folder or disk is write-protected. Let the account of the site write there.',
    )
  }
  return new UserError('database-away')
}
