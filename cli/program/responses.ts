import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import { cellTitles } from '#db/rsvp/fields.ts'
import type { Run } from '../run.ts'
import { examples, notEmpty, peopleCounted, wholeNumber } from './arguments.ts'

// The options that select responses, the same for every command.

const status = () =>
  new Option('--status <status>', 'only those with this status').choices(['attending', 'not-attending'] as const)
const since = () => new Option('--since <day>', 'only those since this day, e.g. 2026-11-21')
const search = () => new Option('--search <text>', 'only those that contain all of these words')
const week = () =>
  new Option(
    '--week <week>',
    'only those for the service of this, next or last week, or of a day, e.g. 2026-11-21; or all',
  )
/** Said by commands that are about one week by themselves. */
const DEFAULT_WEEK =
  'Without --week it is about the last service until `rsvp turnout` says how many came or the next one is nearer, then ' +
  'about the next one; ' +
  '--week all is about every one, as it is until the schedule is set.'
const deleted = () => new Option('--deleted', 'only those that were deleted and can be restored')

const serviceWeek = () =>
  new Option('--week <week>', 'for the service of this, next or last week, or of a day, e.g. 2026-11-21')

/** Commands that read and change responses. */
export function addResponseCommands(program: CommandUnknownOpts, run: Run): void {
  program.commandsGroup('Responses:')

  program
    .command('list')
    .summary('list the responses')
    .description(
      'Shows the responses, newest first: on a terminal as a screen to search, sort, read and delete, in a pipe as one ' +
        `line each with cells separated by tabs: ${cellTitles.join(', ').toLowerCase()}. ${DEFAULT_WEEK}`,
    )
    .addOption(status())
    .addOption(week())
    .addOption(since())
    .addOption(search())
    .addOption(deleted())
    .option('--limit <number>', 'at most this many', wholeNumber)
    .option('--plain', 'print a table instead of the screen; no effect in a pipe')
    .option('--json', 'print a JSON array')
    .addHelpText('after', examples('rsvp list --week this', 'rsvp list --search cole --json | jq length'))
    .action(run('database', async () => (await import('../commands/list.ts')).list))

  program
    .command('show')
    .summary('show one response in full')
    .description('Shows one response with all of its details.')
    .argument('<id>', 'the number in the first column of `rsvp list`')
    .option('--json', 'print a JSON object')
    .addHelpText('after', examples('rsvp show 12', 'rsvp show 12 --json'))
    .action(run('database', async () => (await import('../commands/list.ts')).show))

  addEntryCommands(program, run)

  program
    .command('delete')
    .summary('delete responses')
    .description(
      'Deletes responses; `rsvp restore` brings them back for 30 days. Asks first; without a terminal it needs --yes. ' +
        'Without ids it shows a screen to choose from. With --erase it erases all responses with an e-mail address at ' +
        'once and for good, deleted ones included; to hand them over first, use `rsvp export --email`. Exits with 3 when ' +
        'something was not found.',
    )
    .argument('[ids...]', 'numbers from the first column of `rsvp list`')
    .option('--erase <address>', 'erase all responses of the person with this e-mail address, for good', notEmpty)
    .option('--samples', 'delete all samples for good, and nothing else')
    .option('--yes', 'do not ask')
    .option('--json', 'print which were deleted, not found and not reached')
    .addHelpText(
      'after',
      examples(
        'rsvp delete 12 14',
        'rsvp list --search "spam" | cut -f1 | xargs --no-run-if-empty rsvp delete --yes',
        'rsvp delete --erase ana@example.org',
      ),
    )
    .action(run('database', async () => (await import('../commands/delete.ts')).remove))

  program
    .command('merge')
    .summary('merge responses that were sent more than once')
    .description(
      'Shows who sent several responses for one service with the same email and name: the service, the name, the number ' +
        'of the newest response and those of the others. Then it asks, keeps the newest of each with the fuller family, ' +
        'all roles and all messages, and deletes the others, which `rsvp restore` brings back for 30 days; without a ' +
        'terminal and without --yes it changes nothing and exits with 2. Until then people are counted from the newest.',
    )
    .addOption(week())
    .option('--yes', 'do not ask')
    .option('--json', 'print who sent several responses, which were merged, and into which none could be')
    .addHelpText('after', examples('rsvp merge --week this', 'rsvp merge --yes --json | jq .merged'))
    .action(run('database', async () => (await import('../commands/merge.ts')).merge))

  program
    .command('restore')
    .summary('restore deleted responses')
    .description(
      'Restores deleted responses, which are erased for good after 30 days. Exits with 3 when one was not found.',
    )
    .argument('<ids...>', 'numbers from the first column of `rsvp list --deleted`')
    .option('--json', 'print which were restored, not found and not reached')
    .addHelpText('after', examples('rsvp restore 12 14', 'rsvp list --deleted | cut -f1 | xargs rsvp restore'))
    .action(run('database', async () => (await import('../commands/delete.ts')).restore))

  program
    .command('export')
    .summary('save the responses as a file')
    .description(
      'Writes a CSV for any spreadsheet, or JSON, readable by this account only. A partial file is never left ' +
        'behind, and an existing file is kept unless --force is given. In a folder, the file of one week is named rsvps-week-{day}, and ' +
        'one that is neither a week nor the whole list has -selection behind that.',
    )
    .option(
      '--out <place>',
      'a file, a folder, or - for standard output (default: rsvps-{day}.csv in this folder)',
      notEmpty,
    )
    .addOption(status())
    .addOption(week())
    .addOption(since())
    .addOption(search())
    .addOption(deleted())
    .option('--email <address>', 'all responses with this address, deleted ones included', notEmpty)
    .addOption(new Option('--json', 'write JSON with every field instead of CSV').conflicts('raw'))
    .option('--keep <number>', 'remove older exports in the folder and keep this many', wholeNumber)
    .option('--raw', 'do not defuse cells that a spreadsheet would run: for programs, not for people')
    .option('--force', 'replace an existing file')
    .addHelpText(
      'after',
      examples('rsvp export --out /backups/ --keep 14', 'rsvp export --status attending --out - | wc -l'),
    )
    .action(run('database', async () => (await import('../commands/export.ts')).exportResponses))

  addServiceDayCommands(program, run)
}

/** Commands that enter responses: those that came by telephone or on paper, and those of a file. */
function addEntryCommands(program: CommandUnknownOpts, run: Run): void {
  program
    .command('add')
    .summary('add a response that came by telephone or on paper')
    .description(
      'Adds a response, for the service of this week unless another is given. Without --name it asks at the terminal. ' +
        'An email is not needed. With --samples it adds realistic responses to try the site with, which ' +
        '`rsvp delete --samples` takes away again; where there are real responses it refuses without --force.',
    )
    .option('--name <name>', 'who it is from')
    .addOption(new Option('--no-attending', 'who it is from does not come'))
    .option('--family <names>', 'who comes along, e.g. "Joel Cole (child); Dina Cole"')
    .option('--role <role...>', 'what they offer to do: numbers or names of `rsvp roles`')
    .option('--phone <number>', 'the phone number')
    .option('--email <address>', 'the email address')
    .option('--message <text>', 'the message')
    .addOption(serviceWeek())
    .option('--samples <number>', 'add this many samples instead', wholeNumber)
    .option('--force', 'add samples even beside real responses')
    .option('--json', 'print the response as JSON')
    .addHelpText(
      'after',
      examples(
        'rsvp add',
        'rsvp add --samples 50',
        'rsvp add --name "Ana Cole" --family "Joel Cole (child); Dina Cole" --role Usher Music',
      ),
    )
    .action(run('database', async () => (await import('../commands/entry.ts')).add))

  program
    .command('edit')
    .summary('change a response')
    .description('Changes the given parts of a response and keeps the rest. An empty text removes what was there.')
    .argument('<id>', 'the number in the first column of `rsvp list`')
    .option('--name <name>', 'who it is from')
    .option('--attending', 'who it is from comes')
    .addOption(new Option('--no-attending', 'who it is from does not come'))
    .option('--family <names>', 'all who come along, e.g. "Joel Cole (child); Dina Cole"')
    .option('--role <role...>', 'all that they offer to do: numbers or names of `rsvp roles`')
    .option('--phone <number>', 'the phone number')
    .option('--email <address>', 'the email address')
    .option('--message <text>', 'the message')
    .addOption(serviceWeek())
    .option('--json', 'print the response as JSON')
    .addHelpText('after', examples('rsvp edit 12 --phone "555 0101"', 'rsvp edit 12 --no-attending --family ""'))
    .action(run('database', async () => (await import('../commands/entry.ts')).edit))

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
    .action(run('database', async () => (await import('../commands/import.ts')).importResponses))
}

/** Commands about one service: who is expected, and how many came. */
function addServiceDayCommands(program: CommandUnknownOpts, run: Run): void {
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
    .action(run('database', async () => (await import('../commands/service-day.ts')).showStatistics))

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
    .action(run('database', async () => (await import('../commands/service-day.ts')).printSheet))

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
    .action(run('database', async () => (await import('../commands/service-day.ts')).storeTurnout))
}
