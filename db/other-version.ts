import { UserError } from './errors.ts'

const NEWER = 'This database was written by a newer version. Update the site; the database was not changed.'
const IS_OLDER = 'This database was written by an older version.'
const OLDER = `${IS_OLDER} Restart the site, or run \`rsvp migrate\`, which keeps a copy first; the database was not changed.`

/** For commands that must not migrate a database. */
export function olderVersionError(): UserError {
  return new UserError('configuration', OLDER)
}

export function newerVersionError(): UserError {
  return new UserError('configuration', NEWER)
}

/** Also where the command in the sentence names the database. */
export function isOlder(error: unknown): error is UserError {
  return error instanceof UserError && error.message.startsWith(IS_OLDER)
}
