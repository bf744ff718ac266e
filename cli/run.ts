import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context } from './context.ts'

/** What a command needs: the database, nothing, or the whole process with its signals. */
type Needs = 'database' | 'nothing' | 'process'

type CommandModule<Parameters extends unknown[]> = {
  run: (...parameters: [...Parameters, Context]) => Promise<void>
}

/** How long a command may tidy up after a signal, in ms. */
const TIDYING_TIME = 2000

export type Run = typeof run

/**
 * Makes commander's action of a module in `commands/`, which is loaded only when it is asked for; around it the
 * database is opened and closed, and signals are turned into an abortion.
 */
export function run<Parameters extends unknown[]>(needs: Needs, load: () => Promise<CommandModule<Parameters>>) {
  return async (...received: [...Parameters, CommandUnknownOpts]): Promise<void> => {
    // Commander's types promise that it comes last; TypeScript cannot take the last of such a tuple.
    const command = received.at(-1) as CommandUnknownOpts
    const { db, quiet, color } = command.optsWithGlobals()
    const { overrideVariables, readConfig } = await import('#db/config/config.ts')
    const { addressFromHere, refusalOfAddress } = await import('./given-database.ts')
    const given = typeof db === 'string' ? addressFromHere(db) : undefined
    if (given !== undefined) {
      const refusal = refusalOfAddress(given)
      if (refusal !== undefined) command.error(refusal)
      overrideVariables({ DATABASE_URL: given })
    }
    // Ink does not know NO_COLOR.
    if (color === false || !drawsColors()) overrideVariables({ FORCE_COLOR: '0' })

    const { openDatabase } = await import('#db/open.ts')
    const { closeDatabase } = await import('#db/storage/client.ts')
    const context: Context = {
      call: { now: new Date(), administrator: true, actor: 'terminal' },
      quiet: quiet === true,
      db: given,
      signal: needs === 'process' ? new AbortController().signal : await abortedBySignals(),
      openDatabase: async (opening) => {
        // Whoever opens it twice, before and after it was made, leaves no connection behind.
        await closeDatabase()
        const { databaseUrl, databaseAuthToken: authToken } = readConfig()
        try {
          return await openDatabase(databaseUrl, { ...opening, authToken })
        } catch (error) {
          const { naming } = await import('./other-version.ts')
          throw naming(given, error)
        }
      },
    }
    try {
      if (needs === 'database') await context.openDatabase({ mustExist: true })
      const module = await load()
      await module.run(...(received.with(-1, context) as [...Parameters, Context]))
      context.signal.throwIfAborted()
    } catch (error) {
      const { exitCodeOf, exitCodes, sentencesOf } = await import('./exit-code.ts')
      const { displayedLines } = await import('./output/plain-text.ts')
      // As commander does with what it finds wrong by itself: the sentence, then where to look.
      if (exitCodeOf(error) === exitCodes.usage) command.error(displayedLines(sentencesOf(error).join('\n')))
      throw error
    } finally {
      await closeDatabase()
    }
  }
}

function drawsColors(): boolean {
  const terminal = process.stdout.isTTY ? process.stdout : process.stderr
  return terminal.isTTY && terminal.hasColors()
}

async function abortedBySignals(): Promise<AbortSignal> {
  const { CommandError } = await import('./exit-code.ts')
  const interruption = new AbortController()
  const numbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }
  for (const [name, number] of Object.entries(numbers)) {
    process.on(name, () => {
      const code = 128 + number
      interruption.abort(new CommandError(code, ''))
      setTimeout(() => process.exit(code), TIDYING_TIME).unref()
    })
  }
  return interruption.signal
}
