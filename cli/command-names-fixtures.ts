import type { CommandUnknownOpts } from '@commander-js/extra-typings'

/** The name of every command that can be run, e.g. `service list`. */
export function namesOf(parent: CommandUnknownOpts, path: string[] = []): string[] {
  return parent.commands.flatMap((command) => {
    const words = [...path, command.name()]
    return command.commands.length === 0 ? [words.join(' ')] : namesOf(command, words)
  })
}
