import { UserError } from './errors.ts'

const NEWER = 'This database was written by a newer version. Update the site; the database was not changed.'
const OLDER =
  'This database was written by an older version. Restart the site, or run `rsvp migrate`, which keeps a copy first; the database was not changed.'

/** For commands that must not migrate a database. */
export function olderVersionError(): UserError {
  return new UserError('configuration', OLDER)
}

export function newerVersionError(): UserError {
  return new UserError('configuration', NEWER)
}

export function isOlder(error: unknown): error is UserError {
  return error instanceof UserError && error.message === OLDER
}
