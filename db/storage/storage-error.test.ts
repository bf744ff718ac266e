import { describe, expect, it } from 'vitest'
import { UserError } from '#db/values/errors.ts'
import { explainStorageError, isTransient } from './storage-error.ts'

const failure = (code: unknown, message = 'a prayer request') => Object.assign(new Error(message), { code })

const FULL = 'The disk is full, so nothing can be stored. Make room, then try again.'
const DAMAGED = 'The database is damaged. Stop the site and restore a backup with `rsvp backup restore FILE`.'
const READ_ONLY =
  'The database can only be read: its file, folder or disk is write-protected. Let the account of the site write there.'
const AWAY = 'The database cannot be reached at the moment. Try again in a few seconds.'
const TOO_LARGE =
  'This is more than the libSQL server takes at once. Send it in parts: of a CSV, 10,000 rows at a time.'

describe('an error of the driver', () => {
  // The driver has no name for some errors; the last byte of their number is the kind.
  it.each([
    ['full', FULL, ['SQLITE_FULL']],
    ['damaged', DAMAGED, ['SQLITE_CORRUPT_INDEX', 'SQLITE_NOTADB', 'UNKNOWN_SQLITE_ERROR_267']],
    ['unavailable', READ_ONLY, ['SQLITE_READONLY_ROLLBACK', 'UNKNOWN_SQLITE_ERROR_1544']],
    ['unavailable', AWAY, ['SQLITE_CANTOPEN', 'SQLITE_BUSY', 'ARGS_INVALID', 7, 'UNKNOWN_SQLITE_ERROR_267x']],
    ['unavailable', AWAY, ['NOT_SQLITE_FULL', 'NOT_SQLITE_CORRUPT', 'NOT_SQLITE_ERROR', 'xUNKNOWN_SQLITE_ERROR_267']],
  ])('becomes %s, never in its own words: %s', (explained, message, codes) => {
    for (const code of codes)
      expect(explainStorageError(failure(code))).toMatchObject({ name: 'UserError', code: explained, message })
  })

  it('of a value that is too large for a server says so', () => {
    const error = explainStorageError(failure('ARGS_INVALID', 'value too big'))
    expect(error).toMatchObject({ code: 'too-large', message: TOO_LARGE })
    expect(explainStorageError(failure('SQLITE_IOERR', 'too big'))).toMatchObject({ code: 'unavailable' })
  })

  it.each([
    ['SQL_NO_STATEMENT', 'SQL_NO_STATEMENT'],
    ['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_UNIQUE'],
    ['SQLITE_MISUSE', 'SQLITE_MISUSE'],
    ['UNKNOWN_SQLITE_ERROR_3091', 'SQLITE_CONSTRAINT'],
    ['UNKNOWN_SQLITE_ERROR_257', 'SQLITE_ERROR'],
  ])('%s stays a bug, without its values', (code, told) => {
    const error = explainStorageError(failure(code))
    expect(error).not.toBeInstanceOf(UserError)
    expect(error).toMatchObject({ message: `The database refused a statement (${told}).` })
  })

  it('is not explained twice', () => {
    const explained = new UserError('busy', 'The database is busy.')
    expect(explainStorageError(explained)).toBe(explained)
  })

  it.each([
    [true, ['SQLITE_BUSY', 'SQLITE_LOCKED_SHAREDCACHE', 'SQLITE_READONLY_DBMOVED', 'SQLITE_OK']],
    [true, ['UNKNOWN_SQLITE_ERROR_517', 'UNKNOWN_SQLITE_ERROR_262']],
    [false, ['SQLITE_READONLY', 'SQLITE_OK_SYMLINK', 'NOT_SQLITE_BUSY', 'UNKNOWN_SQLITE_ERROR_266', undefined]],
  ])('is transient: %s, for %j', (again, codes) => {
    expect(codes.map((code) => isTransient(failure(code)))).toEqual(codes.map(() => again))
    expect(isTransient({ code: 'SQLITE_BUSY' })).toBe(false)
  })
})
