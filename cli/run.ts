import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Context, Needs } from './context.ts'
import type { Io } from './io.ts'

type Work<Parameters extends unknown[]> = (...parameters: [...Parameters, Context]) => Promise<void>

/** Turns a function of `commands/`, which is loaded only when it runs, into an action for commander. */
export type Run = <Parameters extends unknown[]>(
  needs: Needs,
  load: () => Promise<Work<Parameters>>,
) => (...received: [...Parameters, CommandUnknownOpts]) => Promise<void>

/** Loads no code of commands for help. */
export function runIn(io: Io): Run {
  return (needs, load) =>
    async (...received) => {
      const { runCommand } = await import('./run-command.ts')
      // Commander's types promise that the command comes last; TypeScript cannot take the last of such a tuple.
      const command = received.at(-1) as CommandUnknownOpts
      await runCommand(needs, command, io, async (context) => {
        const work = await load()
        await work(...(received.with(-1, context) as Parameters<typeof work>))
      })
    }
}
