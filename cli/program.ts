import { Command, type OutputConfiguration } from '@commander-js/extra-typings'
import { readProgramVersion } from '#db/config/places.ts'
import { addAccessCommands } from './program/access.ts'
import { notEmpty, siteName } from './program/arguments.ts'
import { addHelp } from './program/help.ts'
import { addResponseCommands } from './program/responses.ts'
import { addServerCommands } from './program/server.ts'
import { addSettingCommands } from './program/settings.ts'
import { sayErrorsInTwoLines } from './program/two-lines.ts'
import type { Run } from './run.ts'

/** Every command with its options and its help. What they do lies in `commands/`, loaded when it is needed. */
export function createProgram(run: Run, output: OutputConfiguration) {
  const program = new Command('rsvp')
    .configureOutput(output)
    .summary('the RSVP site of a weekly worship service')
    .description('Everything the administration does, from a terminal and from cron.')
    .version(readProgramVersion())
    .option('--db <database>', 'another database than DATABASE_URL: a file, http://… or libsql://…', notEmpty)
    .option('--site <name>', 'the site of this name, where several run as services', siteName)
    .option('--quiet', 'say nothing when all goes well')
    .option('--no-color', 'no colors; NO_COLOR does the same')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
  addResponseCommands(program, run)
  addSettingCommands(program, run)
  addAccessCommands(program, run)
  addServerCommands(program, run)
  addHelp(program)
  sayErrorsInTwoLines(program)
  return program
}
