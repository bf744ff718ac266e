import { constants } from 'node:os'
import { resolve } from 'node:path'
import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { readSettings } from '#db/config/env-file.ts'
import { quoteForShell } from '#db/config/places.ts'
import { openDatabase } from '#db/open.ts'
import { closeDatabase } from '#db/storage/client.ts'
import { isOlder } from '#db/values/errors.ts'
import type { Context, Needs } from './command.ts'
import { CommandError, exitCodeOf, exitCodes, sentencesOf } from './exit-code.ts'
import type { Io } from './io.ts'
import { displayedLines } from './plain-text.ts'

/** How long a command may clean up after a signal. */
const CLEANUP_TIMEOUT_MS = 2000

/** Opens and closes the database around a command, and turns signals into an abort of `context.signal`. */
export async function runCommand(
  needs: Needs,
  command: CommandUnknownOpts,
  io: Io,
  work: (context: Context) => Promise<void>,
): Promise<void> {
  const { db, quiet } = command.optsWithGlobals()
  if (typeof db === 'string') io.env.DATABASE_URL = addressFromHere(db, io)
  // Ink does not know NO_COLOR.
  const terminal = io.stdout.isTTY ? io.stdout : io.stderr
  if (!terminal.isTTY || !terminal.hasColors()) io.env.FORCE_COLOR = '0'
  // The site runs its own backups by commands, and says so.
  const isBackupOfSite = io.env.RSVP_ACTOR === 'site' && command.parent?.name() === 'backup'
  const context: Context = {
    io,
    call: { now: new Date(), role: 'owner', actor: isBackupOfSite ? 'site' : 'terminal' },
    quiet: quiet === true,
    signal: needs === 'process' ? new AbortController().signal : abortedBySignals(io),
    readConfig: () => readSettings(io.env),
    openDatabase: async (opening) => {
      // Some commands open it twice, before and after creating it.
      await closeDatabase()
      const { databaseUrl, databaseAuthToken: authToken, backupFolder } = context.readConfig()
      return openDatabase(databaseUrl, { ...opening, authToken, backupFolder }).catch((error) => {
        // Without it, the command would migrate the database of the settings.
        const migrate = `rsvp migrate --db ${quoteForShell(String(db))}`
        if (db !== undefined && isOlder(error)) error.message = error.message.replace('rsvp migrate', () => migrate)
        throw error
      })
    },
  }
  try {
    if (needs === 'database') await context.openDatabase({ mustExist: true })
    await work(context)
    context.signal.throwIfAborted()
  } catch (error) {
    // Like commander's own usage errors: the sentence, then which help to read.
    if (exitCodeOf(error) === exitCodes.usage) command.error(displayedLines(sentencesOf(error).join('\n')))
    throw error
  } finally {
    await closeDatabase()
  }
}

function abortedBySignals(io: Io): AbortSignal {
  const interruption = new AbortController()
  for (const name of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
    io.on(name, () => {
      const code = 128 + constants.signals[name]
      interruption.abort(new CommandError(code, ''))
      setTimeout(() => io.exit(code), CLEANUP_TIMEOUT_MS).unref()
    })
  }
  return interruption.signal
}

/**
 * The address of the database that --db names. A path is relative to the shell's folder and needs no `file:` before it;
 * other addresses stay as they are.
 */
function addressFromHere(database: string, { cwd }: Io): string {
  const isPath = !/^[a-z][a-z\d+.-]*:/i.test(database)
  const path = isPath ? database : /^file:(?!\/|:memory:)(.+)$/.exec(database)?.[1]
  return path === undefined ? database : `file:${resolve(cwd(), path)}`
}
