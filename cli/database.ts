import { resolve } from 'node:path'
import { readConfig } from '#db/config/config.ts'
import { quoteForShell } from '#db/config/places.ts'
import { isOlder, UserError } from '#db/errors.ts'
import type { Io } from './io.ts'

/**
 * The address of the database that --db names. A path is relative to the shell's folder and needs no `file:` before it;
 * other addresses stay as they are.
 */
export function addressFromHere(database: string, { cwd }: Io): string {
  const isPath = !/^[a-z][a-z\d+.-]*:/i.test(database)
  const path = isPath ? database : /^file:(?!\/|:memory:)(.+)$/.exec(database)?.[1]
  return path === undefined ? database : `file:${resolve(cwd(), path)}`
}

/** The problem with such an address, in the words used for DATABASE_URL. */
export function refusalOfAddress(address: string): string | undefined {
  try {
    readConfig({ DATABASE_URL: address })
    return undefined
  } catch (error) {
    if (error instanceof UserError) return error.message.replaceAll('DATABASE_URL', '--db')
    throw error
  }
}

/** Rewords an error about a database that was given with --db: its sentence, and any command in it, name the option. */
export function naming(db: string | undefined, error: unknown): unknown {
  if (db === undefined || !(error instanceof UserError)) return error
  const { code, message, fields, retryAfter } = error
  const named = isOlder(error)
    ? message.replace('rsvp migrate', () => `rsvp migrate --db ${quoteForShell(db)}`)
    : message.replaceAll('DATABASE_URL', '--db')
  return new UserError(code, named, fields, retryAfter)
}
