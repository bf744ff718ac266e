import type { Config } from '#db/config/config.ts'
import type { Call } from '#db/operation.ts'
import type { Io } from './io.ts'

/**
 * The needs of a command: the open database, only the settings of a site, or the whole process with its signals.
 */
export type Needs = 'database' | 'nothing' | 'process'

/** Passed to every command, besides its own arguments and options. */
export type Context = {
  call: Call
  io: Io
  /** Say nothing when all went well. */
  quiet: boolean
  /** The database given with --db; the path of a file is absolute. */
  db: string | undefined
  /** Aborted by Ctrl+C or by a signal; its reason is the error to end with. */
  signal: AbortSignal
  /**
   * The current settings, from the options, the environment and .env.
   * @throws UserError 'configuration' that names every mistake at once.
   */
  readConfig: () => Config
  /**
   * For the few commands that do something first; for all others it is open already. It is closed after every command.
   * @returns the copy that was kept before migrating, if any.
   * @throws UserError 'configuration' if it is missing but must exist, or cannot be used.
   */
  openDatabase: (opening: {
    mustExist: boolean
    otherVersion?: 'migrate' | 'accept'
    untouched?: true
  }) => Promise<string | undefined>
}
