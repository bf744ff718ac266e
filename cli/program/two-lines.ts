import type { CommandUnknownOpts } from '@commander-js/extra-typings'

/** Prints usage errors in two lines, what is wrong and which help to read, instead of a page of usage. */
export function sayErrorsInTwoLines(program: CommandUnknownOpts): void {
  program.addHelpText('beforeAll', ({ error, command }) => {
    // Commander prints the whole help as an error when a subcommand is missing.
    if (error) command.error(`error: say which one: ${command.commands.map(fullName).join(', ')}`)
    return ''
  })
  prepare(program)
}

function prepare(command: CommandUnknownOpts): void {
  command
    .showHelpAfterError(`see ${fullName(command)} --help`)
    .configureOutput({ outputError: (text, write) => write(`${text.trimEnd().replaceAll('\n', ' ')}\n`) })
  for (const part of command.commands) prepare(part)
}

/** E.g. `rsvp roles list`. */
function fullName(command: CommandUnknownOpts): string {
  return command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name()
}
