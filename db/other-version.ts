import { UserError } from './errors.ts'

const NEWER = 'This database was written by a newer version. Update the site; the database was not touched.'
const OLDER =
  'This database was written by an older version. Restart the site, or run `rsvp migrate`, which keeps a copy first; the database was not touched.'

/** For whoever may not change the tables of a database. */
export function olderVersion(): UserError {
  return new UserError('configuration', OLDER)
}

export function newerVersion(): UserError {
  return new UserError('configuration', NEWER)
}

export function isOlder(error: unknown): error is UserError {
  return error instanceof UserError && error.message === OLDER
}
