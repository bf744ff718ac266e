import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { commandNames, createProgram } from './main.ts'

/** The program, with the options of the command that these words name. Its actions do nothing. */
async function idleProgram(words: string[]): Promise<CommandUnknownOpts> {
  const program = await createProgram(words, process, {})
  for (const command of program.commands.flatMap((each) => [each, ...each.commands]))
    if (command.commands.length === 0) command.action(() => {})
  return program
}

/** Parses the call of rsvp at the beginning of a line of shell. Fails if commander refuses the call. */
export async function understand(line: string): Promise<void> {
  const [call = ''] = line.split(/ 2?[|<>#]/)
  const words = Array.from(call.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? '')
  if (words[0] !== 'rsvp') throw new Error(`${line} does not begin with rsvp.`)
  const program = await idleProgram(words.slice(1))
  await program.parseAsync(words.slice(1), { from: 'user' })
}

/** Every command by its full name, e.g. `backup list`, with its options and help. */
export async function everyCommand(): Promise<Map<string, CommandUnknownOpts>> {
  const all = new Map<string, CommandUnknownOpts>()
  for (const name of commandNames) {
    const command = (await idleProgram([name])).commands.find((known) => known.name() === name)
    if (command === undefined) throw new Error(`There is no command ${name}.`)
    all.set(name, command)
    for (const part of command.commands) all.set(`${name} ${part.name()}`, part)
  }
  return all
}
