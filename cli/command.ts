import { constants } from 'node:os'
import { resolve } from 'node:path'
import type { Command, CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Call } from '#db/call.ts'
import { type Config, readSettings } from '#db/config/config.ts'
import { quoteForShell } from '#db/config/places.ts'
import { closeDatabase } from '#db/storage/client.ts'
import { isOlder } from '#db/values/errors.ts'
import { CommandError, exitCodeOf, exitCodes, sentencesOf } from './errors.ts'
import { displayedLines } from './plain-text.ts'

/** Each file of `commands/` exports one: it gives its command the arguments, options, help and action. */
export type Declare = (command: Command, run: Run) => void

/**
 * Makes a function the action of a command: besides the arguments and options it gets a context.
 * `needs` is 'database' if the database is to be open already, 'nothing' if the function opens it or does without, and
 * 'process' if it also handles the signals of the process.
 */
export type Run = <Parameters extends unknown[]>(
  needs: 'database' | 'nothing' | 'process',
  action: (...parameters: [...Parameters, Context]) => Promise<void>,
) => (...parameters: [...Parameters, CommandUnknownOpts]) => Promise<void>

export type Context = {
  call: Call
  io: Io
  /** Print no messages but errors. */
  quiet: boolean
  /** Aborted by Ctrl+C or another signal; its reason is the error to end with. */
  signal: AbortSignal
  /**
   * The current settings, from the options, the environment and .env.
   * @throws UserError 'configuration' that names every mistake at once.
   */
  readConfig: () => Config
  /**
   * For the commands that do something before they open the database. Every command closes it at its end.
   * @returns the copy that was kept before migrating, if any.
   * @throws UserError 'configuration' if the database is missing but must exist, or cannot be used.
   */
  openDatabase: (opening: { mustExist: boolean; otherVersion?: 'migrate' | 'accept' }) => Promise<string | undefined>
}

/** The parts of `process` that commands use. Tests pass their own, to run a command in their own process. */
export type Io = {
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
  /** The environment. An option that replaces a variable, e.g. --db, changes it here. */
  env: NodeJS.ProcessEnv
  /** The folder of the shell: every path on the command line is relative to it. */
  cwd: () => string
  on: (signal: NodeJS.Signals, listener: () => void) => unknown
  emit: (signal: NodeJS.Signals) => unknown
  exit: (code: number) => void
}

/** How long a command may clean up after a signal. */
const CLEANUP_TIMEOUT_MS = 2000

export function runIn(io: Io): Run {
  return (needs, action) =>
    async (...parameters) => {
      // Commander passes the command last, but TypeScript cannot type the last element of such a tuple.
      const command = parameters.at(-1) as CommandUnknownOpts
      const context = createContext(
        command,
        io,
        needs === 'process' ? new AbortController().signal : abortOnSignals(io),
      )
      try {
        if (needs === 'database') await context.openDatabase({ mustExist: true })
        await action(...(parameters.with(-1, context) as Parameters<typeof action>))
        context.signal.throwIfAborted()
      } catch (error) {
        // Commander prints the sentence and which help to read, as it does for its own usage errors.
        if (exitCodeOf(error) === exitCodes.usage) command.error(displayedLines(sentencesOf(error).join('\n')))
        throw error
      } finally {
        await closeDatabase()
      }
    }
}

function createContext(command: CommandUnknownOpts, io: Io, signal: AbortSignal): Context {
  const { db, quiet } = command.optsWithGlobals()
  if (typeof db === 'string') io.env.DATABASE_URL = urlOf(db, io)
  // Ink does not know NO_COLOR.
  const terminal = io.stdout.isTTY ? io.stdout : io.stderr
  if (!terminal.isTTY || !terminal.hasColors()) io.env.FORCE_COLOR = '0'
  // The site makes its own backups by running the command, and sets this variable.
  const isBackupOfSite = io.env.RSVP_ACTOR === 'site' && command.parent?.name() === 'backup'
  const readConfig = () => readSettings(io.env)
  return {
    call: { now: new Date(), role: 'owner', actor: isBackupOfSite ? 'site' : 'terminal' },
    io,
    quiet: quiet === true,
    signal,
    readConfig,
    openDatabase: async (opening) => {
      // Loaded here, so that help appears sooner.
      const { openDatabase } = await import('#db/open.ts')
      // Some commands open it twice, before and after creating it.
      await closeDatabase()
      const { databaseUrl, databaseAuthToken: authToken, backupFolder } = readConfig()
      return openDatabase(databaseUrl, { ...opening, authToken, backupFolder }).catch((error) => {
        // Without --db, `rsvp migrate` would migrate the database of the settings.
        const migrate = `rsvp migrate --db ${quoteForShell(String(db))}`
        if (db !== undefined && isOlder(error)) error.message = error.message.replace('rsvp migrate', () => migrate)
        throw error
      })
    },
  }
}

function abortOnSignals(io: Io): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
    io.on(name, () => {
      const code = 128 + constants.signals[name]
      controller.abort(new CommandError(code, ''))
      setTimeout(() => io.exit(code), CLEANUP_TIMEOUT_MS).unref()
    })
  }
  return controller.signal
}

/**
 * The URL of the database that --db names. A path is relative to the shell's folder and needs no `file:` before it;
 * any other URL stays as it is.
 */
function urlOf(database: string, { cwd }: Io): string {
  const isPath = !/^[a-z][a-z\d+.-]*:/i.test(database)
  const path = isPath ? database : /^file:(?!\/|:memory:)(.+)$/.exec(database)?.[1]
  return path === undefined ? database : `file:${resolve(cwd(), path)}`
}
