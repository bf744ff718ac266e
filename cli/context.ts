import type { Config } from '#db/config/config.ts'
import type { Call } from '#db/operation.ts'
import type { Io } from './io.ts'

/**
 * The needs of a command: the open database, no more than the settings of a site, or the whole process with its signals; or
 * it is about the machine, and about no single site.
 */
export type Needs = 'database' | 'nothing' | 'process' | 'machine'

/** Passed to every command, besides its own arguments and options. */
export type Context = {
  call: Call
  /** Its streams, variables and working directory. */
  io: Io
  /** Say nothing when all went well. */
  quiet: boolean
  /** The database given with --db; the path of a file is absolute. */
  db: string | undefined
  /** Aborted by Ctrl+C or by a signal; its reason is the error to end with. */
  signal: AbortSignal
  /**
   * The settings as the options, the environment and .env have them at this moment.
   * @throws UserError 'configuration' that names every mistake at once.
   */
  readConfig: () => Config
  /**
   * For the few commands that do something before; for all others the database is open already. It is closed for all.
   * @returns the copy that was kept before its tables were brought up to date, if one was.
   * @throws UserError 'configuration' when there is none and it must exist, or when it cannot be used.
   */
  openDatabase: (opening: {
    mustExist: boolean
    otherVersion?: 'migrate' | 'accept'
    untouched?: true
  }) => Promise<string | undefined>
}

/** For a screen, which may stay open for days: an action there happens at the current time, not when the screen was opened. */
export function withCurrentTime(context: Context): Context {
  return { ...context, call: { ...context.call, now: new Date() } }
}
