import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import type { Run } from '../run.ts'
import { examples } from './examples.ts'

const serviceWeek = () =>
  new Option('--week <week>', 'for the service of this, next or last week, or of a day, e.g. 2026-11-21')

/** Commands that enter responses: those that came by telephone or on paper, and those of a file. */
export function addEntryCommands(program: CommandUnknownOpts, run: Run): void {
  program
    .command('add')
    .summary('add a response that came by telephone or on paper')
    .description(
      'Adds a response, for the service of this week unless another is given. Without --name it asks at the terminal. ' +
        'An email is not needed.',
    )
    .option('--name <name>', 'who it is from')
    .addOption(new Option('--no-attending', 'who it is from does not come'))
    .option('--family <names>', 'who comes along, e.g. "Joel Cole (child); Dina Cole"')
    .option('--role <role...>', 'what they offer to do: numbers or names of `rsvp roles list`')
    .option('--phone <number>', 'the phone number')
    .option('--email <address>', 'the email address')
    .option('--message <text>', 'the message')
    .addOption(serviceWeek())
    .option('--json', 'print the response as JSON')
    .addHelpText(
      'after',
      examples('rsvp add', 'rsvp add --name "Ana Cole" --family "Joel Cole (child); Dina Cole" --role Usher Music'),
    )
    .action(run('database', () => import('../commands/add.ts')))

  program
    .command('edit')
    .summary('change a response')
    .description('Changes what is given of a response and keeps the rest. An empty text takes away what was there.')
    .argument('<id>', 'the number in the first column of `rsvp list`')
    .option('--name <name>', 'who it is from')
    .option('--attending', 'who it is from comes')
    .addOption(new Option('--no-attending', 'who it is from does not come'))
    .option('--family <names>', 'all who come along, e.g. "Joel Cole (child); Dina Cole"')
    .option('--role <role...>', 'all that they offer to do: numbers or names of `rsvp roles list`')
    .option('--phone <number>', 'the phone number')
    .option('--email <address>', 'the email address')
    .option('--message <text>', 'the message')
    .addOption(serviceWeek())
    .option('--json', 'print the response as JSON')
    .addHelpText('after', examples('rsvp edit 12 --phone "555 0101"', 'rsvp edit 12 --no-attending --family ""'))
    .action(run('database', () => import('../commands/edit.ts')))

  program
    .command('import')
    .summary('add the responses of a CSV')
    .description(
      'Adds the responses of a file that `rsvp export` wrote, also after a spreadsheet has saved it again, and keeps ' +
        'when they came. First it says how many are new and which rows do not fit, and asks; without a terminal and ' +
        'without --yes it changes nothing and exits with 2. Where one row does not fit, none is added; those that are ' +
        'there already are named and not added again. A file has at most 20 MB and 50,000 rows.',
    )
    .argument('<file>', 'the CSV')
    .option('--yes', 'do not ask')
    .option('--raw', 'the file was written by `rsvp export --raw`')
    .option('--json', 'print how many are new, how many are there already, and which rows do not fit')
    .addHelpText('after', examples('rsvp import rsvps-2026-11-21.csv', 'rsvp import rsvps.csv --yes --json'))
    .action(run('database', () => import('../commands/import.ts')))
}
