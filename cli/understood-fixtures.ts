import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { createProgram } from './program.ts'

/** The program with actions that do nothing: it parses every call and runs none. */
export function idleProgram(): CommandUnknownOpts {
  return createProgram(() => async () => {}, {})
}

/** Makes a line of a shell's call, up to where the shell does something else with it: fails where commander refuses it. */
export async function understand(line: string): Promise<void> {
  const [call = ''] = line.split(/ 2?[|<>#]/)
  const words = Array.from(call.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? '')
  if (words[0] !== 'rsvp') throw new Error(`${line} does not begin with rsvp.`)
  await idleProgram().parseAsync(words.slice(1), { from: 'user' })
}

/** The name of every command that can be run, e.g. `service list`. */
export function namesOf(parent: CommandUnknownOpts, path: string[] = []): string[] {
  return parent.commands.flatMap((command) => {
    const words = [...path, command.name()]
    return command.commands.length === 0 ? [words.join(' ')] : namesOf(command, words)
  })
}
