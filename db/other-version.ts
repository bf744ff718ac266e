import { UserError } from './errors.ts'

const IS_OLDER = 'This database was written by an older version.'
/** The refusal of a database that must not be migrated. */
export const OLDER_VERSION = `${IS_OLDER} Restart the site, or run \`rsvp migrate\`, which keeps a copy first; the database was not changed.`

/** Compares only the beginning, because the command in the sentence may name the database. */
export function isOlder(error: unknown): error is UserError {
  return error instanceof UserError && error.message.startsWith(IS_OLDER)
}
