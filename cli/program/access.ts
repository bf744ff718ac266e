import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Run } from '../run.ts'
import { wholeNumber } from './arguments.ts'
import { examples } from './examples.ts'

/** Who may administer, and what was done. */
export function addAccessCommands(program: CommandUnknownOpts, run: Run): void {
  program.commandsGroup('Who may administer:')

  program
    .command('password')
    .summary("set the administrator's password")
    .description(
      'Sets the password that guards the administration, and ends all sessions. Asks for it twice, or reads it from ' +
        'standard input. Never give it as an argument: other accounts could read it there.',
    )
    .argument('[password...]', 'always refused: other accounts could read it')
    // Otherwise the error about an unknown option would repeat it.
    .allowUnknownOption()
    .addHelpText('after', examples('rsvp password', 'rsvp password < /run/secrets/rsvp'))
    .action(run('nothing', () => import('../commands/password.ts')))

  const sessions = program
    .command('sessions')
    .summary('see who is signed in, and sign them out')
    .description('Administrator sessions. A session ends 3 hours after its last use, and after 12 hours at the latest.')
    .addHelpText('after', examples('rsvp sessions list', 'rsvp sessions end --all'))

  sessions
    .command('list')
    .summary('see who is signed in')
    .description('Shows every session, newest first: number, sign-in, last use, end.')
    .option('--json', 'print a JSON array')
    .addHelpText('after', examples('rsvp sessions list', 'rsvp sessions list --json | jq length'))
    .action(run('database', () => import('../commands/sessions/list.ts')))

  sessions
    .command('end')
    .summary('sign sessions out')
    .description('Ends sessions at once. Their browsers have to sign in again.')
    .argument('[ids...]', 'numbers from the first column of `rsvp sessions list`')
    .option('--all', 'every session')
    .option('--json', 'print which were ended')
    .addHelpText('after', examples('rsvp sessions end 3', 'rsvp sessions end --all'))
    .action(run('database', () => import('../commands/sessions/end.ts')))

  program
    .command('audit')
    .summary('see what administrators did')
    .description(
      'Shows who did what and when, newest first. It names responses by their numbers and holds no personal data.',
    )
    .option('--limit <number>', 'at most this many lines (100)', wholeNumber)
    .option('--json', 'print a JSON array')
    .addHelpText('after', examples('rsvp audit', 'rsvp audit --limit 1000 | grep deleted'))
    .action(run('database', () => import('../commands/audit.ts')))
}
