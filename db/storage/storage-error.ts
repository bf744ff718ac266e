import { UserError } from '#db/errors.ts'
import { areFilesUsedUp, outOfFiles } from '#db/open-files.ts'

export const DAMAGED = 'The database is damaged. Stop the site and bring back a backup with `rsvp restore FILE`.'

/** Somebody else holds the lock, or has put another file in the place of this one: nothing was done, try again. */
export function isPassing(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(storageCode(error)) || isMoved(error)
}

function isMoved(error: unknown): boolean {
  return error instanceof Error && 'extendedCode' in error && error.extendedCode === 'SQLITE_READONLY_DBMOVED'
}

/** The driver's own code, as in SQLITE_FULL. Its message is never shown or logged: it can hold somebody's data. */
function storageCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN'
}

/** Says in a sentence what a failure of storage means for the person who asked. Broken SQL stays a bug. */
export function explainStorageError(error: unknown): unknown {
  if (error instanceof UserError) return error
  const code = storageCode(error)
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
  // SQLite does not say why.
  if (/^SQLITE_(CANTOPEN|IOERR)/.test(code) && areFilesUsedUp()) return outOfFiles()
  return new UserError('unavailable', 'The database cannot be reached at the moment. Try again in a few seconds.')
}
