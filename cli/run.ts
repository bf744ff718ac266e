import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from './context.ts'
import type { Io } from './io.ts'

/**
 * The needs of a command: the open database, no more than the settings of a site, or the whole process with its signals; or
 * it is about the machine, and about no single site.
 */
type Needs = 'database' | 'nothing' | 'process' | 'machine'

/** How long a command may clean up after a signal. */
const CLEANUP_TIMEOUT_MS = 2000

/** Makes commander's action of a function in `commands/`, which is loaded only when it is asked for. */
export type Run = <Parameters extends unknown[]>(
  needs: Needs,
  load: () => Promise<(...parameters: [...Parameters, Context]) => Promise<void>>,
) => (...received: [...Parameters, CommandUnknownOpts]) => Promise<void>

/** Around every command the database is opened and closed, and signals are turned into an abortion. */
export function runIn(io: Io): Run {
  return (needs, load) =>
    async (...received) => {
      // Commander's types promise that it comes last; TypeScript cannot take the last of such a tuple.
      const command = received.at(-1) as CommandUnknownOpts
      const { db, site, quiet, color } = command.optsWithGlobals()
      if (needs === 'machine') {
        for (const [option, value] of Object.entries({ db, site })) {
          if (value !== undefined) command.error(`error: --${option} means nothing here: this is about no single site`)
        }
      }
      if (typeof site === 'string') io.env.RSVP_SITE = site
      const { readSettings } = await import('#db/config/config.ts')
      const { addressFromHere, refusalOfAddress } = await import('./database.ts')
      const given = typeof db === 'string' ? addressFromHere(db, io) : undefined
      if (given !== undefined) {
        const refusal = refusalOfAddress(given)
        if (refusal !== undefined) command.error(refusal)
        io.env.DATABASE_URL = given
      }
      // Ink does not know NO_COLOR.
      if (color === false || !drawsColors(io)) io.env.FORCE_COLOR = '0'

      const { openDatabase } = await import('#db/open.ts')
      const { closeDatabase } = await import('#db/storage/client.ts')
      const context: Context = {
        io,
        call: { now: new Date(), administrator: true, actor: 'terminal' },
        quiet: quiet === true,
        db: given,
        signal: /^(process|machine)$/.test(needs) ? new AbortController().signal : await abortedBySignals(io),
        readConfig: () => readSettings(io.env),
        openDatabase: async (opening) => {
          // A command that opens it twice, before and after creating it, leaves no connection open.
          await closeDatabase()
          const { databaseUrl, databaseAuthToken: authToken, backupFolder } = context.readConfig()
          try {
            return await openDatabase(databaseUrl, { ...opening, authToken, backupFolder })
          } catch (error) {
            const { naming } = await import('./database.ts')
            throw naming(given, error)
          }
        },
      }
      try {
        if (needs === 'database') await context.openDatabase({ mustExist: true })
        const work = await load()
        await work(...(received.with(-1, context) as Parameters<typeof work>))
        context.signal.throwIfAborted()
      } catch (error) {
        const { exitCodeOf, exitCodes, sentencesOf } = await import('./exit-code.ts')
        const { displayedLines } = await import('./output/plain-text.ts')
        // Like commander's own usage errors: the sentence, then which help to read.
        if (exitCodeOf(error) === exitCodes.usage) command.error(displayedLines(sentencesOf(error).join('\n')))
        throw error
      } finally {
        await closeDatabase()
      }
    }
}

function drawsColors({ stdout, stderr }: Io): boolean {
  const terminal = stdout.isTTY ? stdout : stderr
  return terminal.isTTY && terminal.hasColors()
}

async function abortedBySignals(io: Io): Promise<AbortSignal> {
  const { CommandError } = await import('./exit-code.ts')
  const interruption = new AbortController()
  const numbers = [
    ['SIGHUP', 1],
    ['SIGINT', 2],
    ['SIGTERM', 15],
  ] as const
  for (const [name, number] of numbers) {
    io.on(name, () => {
      const code = 128 + number
      interruption.abort(new CommandError(code, ''))
      setTimeout(() => io.exit(code), CLEANUP_TIMEOUT_MS).unref()
    })
  }
  return interruption.signal
}
