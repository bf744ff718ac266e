import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import type { Run } from '../run.ts'
import { peopleCounted } from './arguments.ts'
import { examples } from './examples.ts'
import { DEFAULT_WEEK, deleted, search, since, status, week } from './selection.ts'

/** Commands about one service: who is expected, and how many came. */
export function addServiceCommands(program: CommandUnknownOpts, run: Run): void {
  program
    .command('stats')
    .summary('count people and offers to serve')
    .description(
      'Counts the responses, the people expected by age group, and the offers for each role; of one week, also who came. ' +
        DEFAULT_WEEK,
    )
    .addOption(status())
    .addOption(week())
    .addOption(since())
    .addOption(search())
    .addOption(deleted())
    .option('--json', 'print a JSON object')
    .addHelpText('after', examples('rsvp stats --week next', 'rsvp stats --json | jq .people.expected'))
    .action(run('database', () => import('../commands/stats.ts')))

  program
    .command('sheet')
    .summary('print what is needed for one service')
    .description(
      'Prints for one service how many people are expected, who they are by family name with a box to tick, who fills ' +
        'which role and who is missing, and apart from that messages and prayer requests. As plain text it can be piped ' +
        'into a mail program or a printer, also from cron.',
    )
    .addOption(new Option('--week <week>', 'this, next or last week, or the day of a service').default('this'))
    .option('--without-messages', 'leave out messages and prayer requests')
    .option('--json', 'print a JSON object')
    .addHelpText('after', examples('rsvp sheet --week next', 'rsvp sheet --without-messages | lp'))
    .action(run('database', () => import('../commands/sheet.ts')))

  program
    .command('turnout')
    .summary('say how many people really came')
    .description(
      'Stores how many people really came to a service, for `rsvp stats` and the administration to show beside those ' +
        'expected. From the beginning of its day on, and as often as the number changes.',
    )
    .argument('<service>', 'this or last: the service of that week; or its day, e.g. 2026-11-21')
    .argument(
      '<people>',
      'how many came, or none to remove the number or, where there is none, not to be asked for it',
      peopleCounted,
    )
    .option('--json', 'print what is stored as JSON')
    .addHelpText('after', examples('rsvp turnout last 87', 'rsvp turnout 2026-11-21 none'))
    .action(run('database', () => import('../commands/turnout.ts')))
}
