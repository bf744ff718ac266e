import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import { cellTitles } from '#db/rsvp/export/cells.ts'
import type { Run } from '../run.ts'
import { notEmpty, peopleCounted, wholeNumber } from './arguments.ts'
import { addEntryCommands } from './entries.ts'
import { examples } from './examples.ts'

/** The options that select responses, the same for every command. */
const status = () =>
  new Option('--status <status>', 'only those with this status').choices(['attending', 'not-attending'] as const)
const since = () => new Option('--since <day>', 'only those since this day, e.g. 2026-11-21')
const search = () => new Option('--search <text>', 'only those that contain all of these words')
const week = () =>
  new Option('--week <week>', 'only those for the service of this, next or last week, or of a day, e.g. 2026-11-21')
const deleted = () => new Option('--deleted', 'only those that were deleted and can be restored')

/** Commands that read and change responses. */
export function addResponseCommands(program: CommandUnknownOpts, run: Run): void {
  program.commandsGroup('Responses:')

  program
    .command('list')
    .summary('list the responses')
    .description(
      'Shows the responses, newest first: on a terminal as a screen to search, sort, read and delete, in a pipe as one ' +
        `line each with cells separated by tabs: ${cellTitles.join(', ').toLowerCase()}.`,
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
    .action(run('database', () => import('../commands/list.ts')))

  program
    .command('show')
    .summary('show one response in full')
    .description('Shows one response with all of its details.')
    .argument('<id>', 'the number in the first column of `rsvp list`')
    .option('--json', 'print a JSON object')
    .addHelpText('after', examples('rsvp show 12', 'rsvp show 12 --json'))
    .action(run('database', () => import('../commands/show.ts')))

  addEntryCommands(program, run)

  program
    .command('delete')
    .summary('delete responses')
    .description(
      'Deletes responses; `rsvp restore` brings them back for 30 days. Asks first; without a terminal it needs --yes. ' +
        'Without ids it shows a screen to choose from. Exits with 3 when one of them was not found.',
    )
    .argument('[ids...]', 'numbers from the first column of `rsvp list`')
    .option('--yes', 'do not ask')
    .option('--json', 'print which were deleted, not found and not reached')
    .addHelpText(
      'after',
      examples('rsvp delete 12 14', 'rsvp list --search "spam" | cut -f1 | xargs --no-run-if-empty rsvp delete --yes'),
    )
    .action(run('database', () => import('../commands/delete.ts')))

  program
    .command('restore')
    .summary('restore deleted responses, or a whole backup')
    .description(
      'With ids it restores deleted responses, which are erased for good after 30 days. With the file of a backup it ' +
        'restores everything as it was then: it verifies the backup, asks, keeps the current database beside it and ' +
        'puts the backup in its place. Stop the site first. Exits with 3 when something is not found.',
    )
    .argument('<what...>', 'numbers from the first column of `rsvp list --deleted`, or the file of one backup')
    .option('--yes', 'do not ask before a backup is restored')
    .option('--force', 'restore a backup even while a site is running')
    .option('--json', 'print what was restored')
    .addHelpText('after', examples('rsvp restore 12 14', 'rsvp restore /backups/rsvp-2026-11-21T02-30-00.000Z.db'))
    .action(run('nothing', () => import('../commands/restore.ts')))

  program
    .command('erase')
    .summary("erase a person's responses for good")
    .description(
      'Erases all responses with an e-mail address at once and for good, deleted ones included. Asks first; without a ' +
        'terminal it needs --yes. To hand the responses over first, use `rsvp export --email`.',
    )
    .requiredOption('--email <address>', 'the address of the person', notEmpty)
    .option('--yes', 'do not ask')
    .option('--json', 'print how many were erased')
    .addHelpText('after', examples('rsvp erase --email ana@example.org', 'rsvp erase --email ana@example.org --yes'))
    .action(run('database', () => import('../commands/erase.ts')))

  program
    .command('export')
    .summary('save the responses as a file')
    .description(
      'Writes a CSV for any spreadsheet, or JSON, readable by this account only. A partial file is never left ' +
        'behind, and an existing file is kept unless --force is given. In a folder, a file that is not the whole list is ' +
        'named rsvps-{day}-selection.',
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
    .option('--raw', 'do not defuse cells that a spreadsheet would run: for programs, not for people')
    .option('--force', 'replace an existing file')
    .addHelpText('after', examples('rsvp export --out /backups/', 'rsvp export --status attending --out - | wc -l'))
    .action(run('database', () => import('../commands/export.ts')))

  program
    .command('stats')
    .summary('count people and offers to serve')
    .description(
      'Counts the responses, the people expected by age group, and the offers for each role; of one week, also who came.',
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
    .argument('<people>', 'how many came, or none to remove the number', peopleCounted)
    .option('--json', 'print what is stored as JSON')
    .addHelpText('after', examples('rsvp turnout last 87', 'rsvp turnout 2026-11-21 none'))
    .action(run('database', () => import('../commands/turnout.ts')))

  program
    .command('watch')
    .summary('watch responses arrive')
    .description('Shows responses as they arrive, until Ctrl+C. In a pipe it prints one line each, like `rsvp list`.')
    .addOption(week())
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', examples('rsvp watch', 'rsvp watch --json | jq -r .name'))
    .action(run('database', () => import('../commands/watch.ts')))
}
