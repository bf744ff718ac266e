import { Command, type CommandUnknownOpts, type OutputConfiguration } from '@commander-js/extra-typings'
import { CommanderError } from 'commander'
import { readProgramVersion } from '#db/config/places.ts'
import type { Declare, Io } from './command.ts'
import { exitCodeOf, exitCodes, sentencesOf } from './errors.ts'
import { topics } from './help.ts'
import { notEmpty } from './options.ts'
import { print, printMessage } from './output.ts'

type Listed = [name: string, summary: string, load: () => Promise<{ declare: Declare }>]

/** Every command. Its code is loaded only when the command line names it, so that `rsvp --help` appears at once. */
const groups: Record<string, Listed[]> = {
  'Responses:': [
    ['list', 'list the responses', () => import('./commands/list.ts')],
    ['show', 'show one response in full', () => import('./commands/show.ts')],
    ['add', 'add a response that came by telephone or on paper', () => import('./commands/add.ts')],
    ['delete', 'delete responses', () => import('./commands/delete.ts')],
    ['restore', 'restore deleted responses', () => import('./commands/restore.ts')],
    ['export', 'save the responses as a file', () => import('./commands/export.ts')],
    ['import', 'add the responses of a CSV', () => import('./commands/import.ts')],
    ['stats', 'count people and offers to serve', () => import('./commands/stats.ts')],
    ['sheet', 'print the sheet for one service', () => import('./commands/sheet.tsx')],
  ],
  'The site:': [
    ['features', 'switch parts of the form on and off', () => import('./commands/features.ts')],
    ['admins', 'list, invite and remove who administers', () => import('./commands/admins.ts')],
    ['password', 'set a password', () => import('./commands/password.ts')],
    ['serve', 'start the site', () => import('./commands/serve.ts')],
    ['backup', 'back up the database, and restore it', () => import('./commands/backup.ts')],
    ['migrate', 'bring the tables up to date after an update', () => import('./commands/migrate.ts')],
    ['mail', 'test the mail server, and send again what was not sent', () => import('./commands/mail.ts')],
    ['doctor', 'check that everything is in order', () => import('./commands/doctor.ts')],
  ],
}

/** Runs the command line, for a process or for a test. Returns the exit code, once everything has been written. */
export async function main(words: string[], io: Io): Promise<number> {
  let help = ''
  const output: OutputConfiguration = {
    writeOut: (text) => {
      help += text
    },
    writeErr: (text) => void io.stderr.write(text),
    getOutHelpWidth: () => (io.stdout.isTTY ? io.stdout.columns : 80),
    getErrHelpWidth: () => (io.stderr.isTTY ? io.stderr.columns : 80),
  }
  const code = await exitCodeAfter(io, async () => {
    const [first, second = ''] = words
    const topic = first === 'help' ? topics.get(second) : undefined
    if (topic !== undefined) return print(topic, io)
    const asked = first === 'help' ? [...words.slice(1), '--help'] : words
    const program = await createProgram(asked, io, output)
    await program.parseAsync(asked.length === 0 ? ['--help'] : asked, { from: 'user' })
  })
  return help === '' ? code : exitCodeAfter(io, () => print(help, io))
}

/**
 * The program with the names of all commands. Only the command that the `words` name gets its options and its help.
 * @public for tests.
 */
export async function createProgram(words: string[], io: Io, output: OutputConfiguration): Promise<CommandUnknownOpts> {
  const program = new Command('rsvp')
    .configureOutput(output)
    .summary('the RSVP site of a weekly worship service')
    .description('What the administration needs in a terminal and from cron.')
    .version(readProgramVersion())
    .option('--db <database>', 'use this database instead of DATABASE_URL: a file, http://… or libsql://…', notEmpty)
    .option('--quiet', 'print nothing when all goes well')
    .configureHelp({ showGlobalOptions: true, minWidthToWrap: 15 })
    .helpCommand(false)
    .exitOverride()
    .showHelpAfterError('see rsvp --help')
    .addHelpText('after', '\nFor more, see rsvp COMMAND --help, and rsvp help exit-codes or cron.')
  const [named] = program.parseOptions(words).operands
  for (const [group, listed] of Object.entries(groups)) {
    program.commandsGroup(group)
    for (const [name, summary, load] of listed) {
      const command = new Command(name).copyInheritedSettings(program).summary(summary).helpCommand(false)
      command.showHelpAfterError(`see rsvp ${name} --help`)
      if (name === named) {
        const [{ declare }, { runIn }] = await Promise.all([load(), import('./command.ts')])
        declare(command, runIn(io))
        for (const part of command.commands) part.showHelpAfterError(`see rsvp ${name} ${part.name()} --help`)
      }
      program.addCommand(command)
    }
  }
  return program
}

/** The name of every command. @public for tests. */
export const commandNames = Object.values(groups).flatMap((listed) => listed.map(([name]) => name))

/** Runs the work, and prints the sentences of an error. */
async function exitCodeAfter(io: Io, work: () => Promise<void>): Promise<number> {
  try {
    await work()
    return exitCodes.done
  } catch (error) {
    // Commander throws for help and version too, with the exit code 0, and has printed its errors already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
    for (const sentence of sentencesOf(error)) printMessage(sentence, io)
    return exitCodeOf(error)
  }
}
