import { type Command, type CommandUnknownOpts, Option, type OptionValues } from '@commander-js/extra-typings'
import { dateOrders } from '#db/rsvp/csv-dates.ts'
import { cellTitles } from '#db/rsvp/fields.ts'
import type { Run } from '../run.ts'
import { command, examples, notEmpty, wholeNumber } from './arguments.ts'

const week = () =>
  new Option('--week <week>', 'only those for one service: this, next, last or its date, e.g. 2026-11-21; or all')
/** For commands that cover one week by default. */
const DEFAULT_WEEK =
  'Without --week it covers the last service until its turnout is recorded or the next service is nearer, then the next ' +
  'one. --week all covers every service, as does no --week until the schedule is set.'

function selecting<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return command
    .addOption(
      new Option('--status <status>', 'only those with this status').choices(['attending', 'not-attending'] as const),
    )
    .addOption(week())
    .option('--since <day>', 'only those since this day, e.g. 2026-11-21')
    .option('--search <text>', 'only those that contain all of these words')
    .option('--deleted', 'only those that were deleted and can be restored')
}

const serviceWeek = () =>
  new Option('--week <week>', 'for which service: this, next, last or its date, e.g. 2026-11-21')

export function addResponseCommands(program: CommandUnknownOpts, run: Run): void {
  program.commandsGroup('Responses:')

  selecting(
    command(program, 'list', 'list the responses', [
      'Shows the responses, newest first. A terminal gets a screen to search, sort, read and delete them; a pipe gets a',
      `line for each, with these cells separated by tabs: ${cellTitles.join(', ').toLowerCase()}. ${DEFAULT_WEEK}`,
    ]),
  )
    .option('--standing', 'only those of households that come every week')
    .option('--limit <number>', 'at most this many', wholeNumber)
    .option('--plain', 'print a table instead of the screen; no effect in a pipe')
    .option('--json', 'print a JSON array')
    .addHelpText(...examples('rsvp list --week this', 'rsvp list --search cole --json | jq length'))
    .action(run('database', async () => (await import('../commands/list.ts')).list))

  command(program, 'show', 'show one response in full', ['Shows one response with all of its details.'])
    .argument('<id>', 'the id in the first column of `rsvp list`')
    .option('--json', 'print a JSON object')
    .addHelpText(...examples('rsvp show 12', 'rsvp show 12 --json'))
    .action(run('database', async () => (await import('../commands/list.ts')).show))

  addEntryCommands(program, run)

  command(program, 'delete', 'delete responses', [
    'Deletes responses; `rsvp restore` can restore them for 30 days. Asks for confirmation; without a',
    'terminal, --yes is required. Without ids it opens a screen to choose from. --erase permanently erases all',
    'responses with an email address, including deleted ones; to give the person a copy first, use `rsvp export',
    '--email`. Exits with 3 if a response was not found.',
  ])
    .argument('[ids...]', 'ids from the first column of `rsvp list`')
    .option('--erase <address>', 'permanently erase all responses with this email address', notEmpty)
    .option('--samples', 'permanently delete all samples, and nothing else')
    .option('--yes', 'do not ask')
    .option('--json', 'print which ids were deleted, not found and not reached')
    .addHelpText(
      ...examples(
        'rsvp delete 12 14',
        'rsvp list --search "spam" | cut -f1 | xargs --no-run-if-empty rsvp delete --yes',
        'rsvp delete --erase ana@example.org',
      ),
    )
    .action(run('database', async () => (await import('../commands/delete.ts')).remove))

  command(program, 'restore', 'restore deleted responses', [
    'Restores deleted responses. They are permanently erased after 30 days. Exits with 3 if one was not found.',
  ])
    .argument('<ids...>', 'ids from the first column of `rsvp list --deleted`')
    .option('--json', 'print which ids were restored, not found and not reached')
    .addHelpText(...examples('rsvp restore 12 14', 'rsvp list --deleted | cut -f1 | xargs rsvp restore'))
    .action(run('database', async () => (await import('../commands/delete.ts')).restore))

  const place = 'a file, a folder, or - for standard output (default: rsvps-{day}.csv in this folder)'
  const saved = command(program, 'export', 'save the responses as a file', [
    'Writes a CSV file for any spreadsheet, or JSON, readable by this account only. It never leaves a partial',
    'file behind, and replaces an existing one only with --force. In a folder, the file of one week is named',
    'rsvps-week-{day}; any other selection has -selection at the end of its name.',
  ])
  selecting(saved.option('--out <place>', place, notEmpty))
    .option('--email <address>', 'all responses with this email address, including deleted ones', notEmpty)
    .addOption(new Option('--json', 'write JSON with every field instead of CSV').conflicts('raw'))
    .option('--keep <number>', 'keep this many exports in the folder, and remove older ones', wholeNumber)
    .option('--raw', 'write texts that a spreadsheet would run or change as they are: for programs, not for people')
    .addOption(
      new Option('--separator <name>', 'what separates the cells: comma (default), semicolon or tab')
        .choices(['comma', 'semicolon', 'tab'] as const)
        .conflicts('json'),
    )
    .option('--force', 'replace an existing file')
    .addHelpText(...examples('rsvp export --out /backups/ --keep 14', 'rsvp export --status attending --out - | wc -l'))
    .action(run('database', async () => (await import('../commands/export.ts')).exportResponses))

  addServiceDayCommands(program, run)
}

function addEntryCommands(program: CommandUnknownOpts, run: Run): void {
  command(program, 'add', 'add a response that came by telephone or on paper', [
    'Adds a response, for the service of this week unless another is given. Without --name it asks at the',
    'terminal. The email address is optional. --samples adds realistic responses to try the site with, which',
    '`rsvp delete --samples` removes again; if there are real responses, it refuses without --force.',
  ])
    .option('--name <name>', 'who it is from')
    .addOption(new Option('--no-attending', 'this person is not coming'))
    .option('--family <names>', 'who is coming along, e.g. "Joel Cole (child); Dina Cole"')
    .option('--role <role...>', 'the roles they offer to fill: ids or names')
    .option('--phone <number>', 'the phone number')
    .option('--email <address>', 'the email address')
    .option('--message <text>', 'the message')
    .addOption(serviceWeek())
    .option('--samples <number>', 'add this many samples instead', wholeNumber)
    .option('--force', 'add samples even if there are real responses')
    .option('--json', 'print the response as JSON')
    .addHelpText(
      ...examples(
        'rsvp add',
        'rsvp add --samples 50',
        'rsvp add --name "Ana Cole" --family "Joel Cole (child); Dina Cole" --role Usher Music',
      ),
    )
    .action(run('database', async () => (await import('../commands/entry.ts')).add))

  command(program, 'import', 'add the responses of a CSV', [
    'Adds the responses from a file that `rsvp export` wrote, even after a spreadsheet has saved it again, and',
    'keeps the times at which they came; or from another list, e.g. of Google Forms. It first says what the columns',
    'become, how many responses are new and which rows are invalid, and asks; without a terminal and without --yes it',
    'changes nothing and exits with 2. If one row is invalid, none is added, unless --skip-bad is given; existing',
    'responses are listed and not added again. A file can have up to 5 MB and 5,000 rows.',
  ])
    .argument('<file>', 'the CSV')
    .option('--yes', 'do not ask')
    .option('--map <title=column...>', 'what a column is: Name, Email, Status … or ignore, e.g. "Your name?=Name"')
    .addOption(
      new Option('--dates <order>', 'what comes first in dates such as 3/4/2026, if that is unclear').choices(
        dateOrders,
      ),
    )
    .option('--encoding <name>', 'how the file was saved, if not in UTF-8, e.g. windows-1252', notEmpty)
    .option('--skip-bad', 'add the valid rows even if others are invalid')
    .option('--json', 'print how many are new, which rows exist already, and which are invalid')
    .addHelpText(
      ...examples('rsvp import rsvps-2026-11-21.csv', 'rsvp import form.csv --map "Your name?=Name" --skip-bad'),
    )
    .action(run('database', async () => (await import('../commands/import.ts')).importResponses))
}

function addServiceDayCommands(program: CommandUnknownOpts, run: Run): void {
  selecting(
    command(program, 'stats', 'count people and offers to serve', [
      'Counts the responses, the people expected by age group, and the offers for each role; for one week, also',
      'who came.',
      DEFAULT_WEEK,
    ]),
  )
    .option('--json', 'print a JSON object')
    .addHelpText(...examples('rsvp stats --week next', 'rsvp stats --json | jq .people.expected'))
    .action(run('database', async () => (await import('../commands/service-day.ts')).showStatistics))

  command(program, 'sheet', 'print the sheet for one service', [
    'Prints for one service how many people are expected, who they are by family name with a box to tick, who',
    'fills which role and how many are missing, and separately the messages and prayer requests. It is plain',
    'text, for a mail program or a printer, also from cron.',
  ])
    .addOption(new Option('--week <week>', 'for which service: this, next, last or its date').default('this'))
    .option('--without-messages', 'leave out messages and prayer requests')
    .option('--json', 'print a JSON object')
    .addHelpText(...examples('rsvp sheet --week next', 'rsvp sheet --without-messages | lp'))
    .action(run('database', async () => (await import('../commands/service-day.ts')).printSheet))
}
