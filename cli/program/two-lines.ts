import type { CommandUnknownOpts } from '@commander-js/extra-typings'

/** Of an error somebody reads the end: what is wrong, then where it stands how it is right. No page of usage above. */
export function sayErrorsInTwoLines(program: CommandUnknownOpts): void {
  program.addHelpText('beforeAll', ({ error, command }) => {
    // A command of which a part must be named comes with all of its help, as an error.
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

/** As in `rsvp roles list`. */
function fullName(command: CommandUnknownOpts): string {
  return command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name()
}
