import { UserError } from './errors.ts'

const IS_OLDER = 'This database was written by an older version.'
/** What is said where a database must not be migrated. */
export const OLDER_VERSION = `${IS_OLDER} Restart the site, or run \`rsvp migrate\`, which keeps a copy first; the database was not changed.`

/** Also where the command in the sentence names the database. */
export function isOlder(error: unknown): error is UserError {
  return error instanceof UserError && error.message.startsWith(IS_OLDER)
}
