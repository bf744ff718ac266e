import { Command, type CommandUnknownOpts, type OutputConfiguration } from '@commander-js/extra-typings'
import { readProgramVersion } from '#db/config/places.ts'
import { notEmpty } from './program/arguments.ts'
import { addResponseCommands } from './program/responses.ts'
import { addServerCommands } from './program/server.ts'
import { addAccessCommands, addSettingCommands } from './program/settings.ts'
import type { Run } from './run.ts'

/** Every command with its options and its help; the code in `commands/` is loaded when needed. */
export function createProgram(run: Run, output: OutputConfiguration) {
  const program = new Command('rsvp')
    .configureOutput({ ...output, outputError: (text, write) => write(`${text.trimEnd().replaceAll('\n', ' ')}\n`) })
    .summary('the RSVP site of a weekly worship service')
    .description('Everything the administration does, from a terminal and from cron.')
    .version(readProgramVersion())
    .option('--db <database>', 'use this database instead of DATABASE_URL: a file, http://… or libsql://…', notEmpty)
    .option('--quiet', 'print nothing when all goes well')
    .option('--no-color', 'print without colors, like NO_COLOR')
    .configureHelp({ showGlobalOptions: true, minWidthToWrap: 15 })
    // `explain` in program/help.ts replaces it, because that has topics as well.
    .helpCommand(false)
    .exitOverride()
  addResponseCommands(program, run)
  addSettingCommands(program, run)
  addAccessCommands(program, run)
  addServerCommands(program, run)
  sayErrorsInTwoLines(program)
  program.addHelpText('after', '\nFor more, see rsvp COMMAND --help, and rsvp help environment, exit-codes or cron.')
  return program
}

/** Prints usage errors in two lines, what is wrong and which help to read, instead of a page of usage. */
function sayErrorsInTwoLines(program: CommandUnknownOpts): void {
  program.addHelpText('beforeAll', ({ error, command }) => {
    // Commander prints the whole help as an error when a subcommand is missing.
    if (error) command.error(`error: say which one: ${command.commands.map(fullName).join(', ')}`)
    return ''
  })
  prepare(program)
}

function prepare(command: CommandUnknownOpts): void {
  command.showHelpAfterError(`see ${fullName(command)} --help`)
  for (const part of command.commands) prepare(part)
}

/** E.g. `rsvp backup list`. */
function fullName(command: CommandUnknownOpts): string {
  return command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name()
}
