import { resolve } from 'node:path'
import { readConfig } from '#db/config/config.ts'
import { UserError } from '#db/errors.ts'
import type { Io } from '../io.ts'

/**
 * The address of the database that --db names. A path is relative to the folder of the shell, as every path there, and
 * needs no `file:` before it. What is neither a path nor `file:` is left as it is.
 */
export function addressFromHere(database: string, { cwd }: Io): string {
  const isPath = !/^[a-z][a-z\d+.-]*:/i.test(database)
  const path = isPath ? database : /^file:(?!\/|:memory:)(.+)$/.exec(database)?.[1]
  return path === undefined ? database : `file:${resolve(cwd(), path)}`
}

/** The problem with such an address, in the words that the setting uses for it. */
export function refusalOfAddress(address: string): string | undefined {
  try {
    readConfig({ DATABASE_URL: address })
    return undefined
  } catch (error) {
    if (error instanceof UserError) return namingOption(error.message)
    throw error
  }
}

/** A sentence about the database, for a user who gave it with --db and not with the setting. */
export function namingOption(sentence: string): string {
  return sentence.replaceAll('DATABASE_URL', '--db')
}
