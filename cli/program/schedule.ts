import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Run } from '../run.ts'
import { examples } from './examples.ts'

/** Commands for when services are. */
export function addScheduleCommands(program: CommandUnknownOpts, run: Run): void {
  const schedule = program
    .command('schedule')
    .summary('say when services are, and leave some out')
    .description(
      'Shows or changes when services are, as the site needs it to know which service a response is for. The texts ' +
        'that people read are those of `rsvp event`.',
    )
    .addHelpText('after', examples('rsvp schedule show', 'rsvp schedule set --weekday saturday --start 10:00'))

  schedule
    .command('show')
    .summary('see when services are')
    .description(
      'Shows the weekday, the time, the length, the time zone, when RSVPs close, skipped services, whether an ' +
        'administrator has confirmed it, and the next eight services.',
    )
    .option('--json', 'print a JSON object')
    .addHelpText('after', examples('rsvp schedule show', 'rsvp schedule show --json | jq -r ".services[0].date"'))
    .action(run('database', () => import('../commands/schedule/show.ts')))

  schedule
    .command('set')
    .summary('change when services are')
    .description(
      'Changes what is given, and confirms the rest. Where the day of the week changes, the responses for services to ' +
        'come move along; the command says how many.',
    )
    .option('--weekday <weekday>', 'the day of the week, e.g. saturday')
    .option('--start <time>', 'when a service starts, e.g. 10:00 or "6:30 PM"')
    .option('--duration <minutes>', 'how long it lasts, e.g. 90 or 2h')
    .option('--time-zone <name>', 'the time zone of the church, e.g. America/Chicago')
    .option('--closes <time>', 'how long before the start RSVPs are for the next service, e.g. 2h; none: at the end')
    .option('--json', 'print the schedule as JSON')
    .addHelpText(
      'after',
      examples(
        'rsvp schedule set --weekday saturday --start 10:00 --duration 90 --time-zone America/Chicago',
        'rsvp schedule set --closes 2h',
      ),
    )
    .action(run('database', () => import('../commands/schedule/set.ts')))

  schedule
    .command('skip')
    .summary('leave services out')
    .description(
      'Leaves out the services on these days. Visitors can no longer respond for them; the responses for them stay.',
    )
    .argument('<dates...>', 'days of services, e.g. 2026-12-26')
    .option('--json', 'print the schedule as JSON')
    .addHelpText('after', examples('rsvp schedule skip 2026-12-26', 'rsvp schedule skip 2026-12-26 2027-01-02'))
    .action(run('database', () => import('../commands/schedule/skip.ts')))

  schedule
    .command('unskip')
    .summary('hold services that were left out')
    .description('Holds the services on these days after all. Exits with 3 when one of them was not left out.')
    .argument('<dates...>', 'skipped days, as `rsvp schedule show` lists them')
    .option('--json', 'print the schedule as JSON')
    .addHelpText('after', examples('rsvp schedule unskip 2026-12-26', 'rsvp schedule unskip 2026-12-26 2027-01-02'))
    .action(run('database', () => import('../commands/schedule/unskip.ts')))
}
