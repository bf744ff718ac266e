import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import type { Run } from '../run.ts'
import { notEmpty, wholeNumber } from './arguments.ts'
import { examples } from './examples.ts'

/** Which responses, in the same words for every command that is about some of them. */
const status = () => new Option('--status <status>', 'only these').choices(['attending', 'not-attending'] as const)
const since = () => new Option('--since <day>', 'only those since this day, as in 2026-11-21')
const search = () => new Option('--search <text>', 'only those that hold all of these words')
const deleted = () => new Option('--deleted', 'only those that were deleted and can be restored')

/** What is done with the responses. */
export function addResponseCommands(program: CommandUnknownOpts, run: Run): void {
  program.commandsGroup('Responses:')

  program
    .command('list')
    .summary('see the responses')
    .description(
      'Shows the responses, newest first. On a terminal a screen to search, sort, read and delete; in a pipe one line ' +
        'for each, cells separated by tabs: id, name, email, phone, message, status, family, roles, calendar, date.',
    )
    .addOption(status())
    .addOption(since())
    .addOption(search())
    .addOption(deleted())
    .option('--limit <number>', 'at most so many', wholeNumber)
    .option('--plain', 'print a table instead of a screen; in a pipe it is lines all the same')
    .option('--json', 'print a JSON array')
    .addHelpText('after', examples('rsvp list --status attending', 'rsvp list --search cole --json | jq length'))
    .action(run('database', () => import('../commands/list.ts')))

  program
    .command('show')
    .summary('read one response in full')
    .description('Shows one response with everything that was said in it.')
    .argument('<id>', 'the number in the first column of `rsvp list`')
    .option('--json', 'print a JSON object')
    .addHelpText('after', examples('rsvp show 12', 'rsvp show 12 --json'))
    .action(run('database', () => import('../commands/show.ts')))

  program
    .command('delete')
    .summary('delete responses')
    .description(
      'Deletes responses; `rsvp restore` brings them back for 30 days. Asks first; without a terminal it needs --yes. ' +
        'Without ids it shows a screen to choose from. Ends with 3 when one of them was not there.',
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
    .summary('bring back deleted responses, or a whole backup')
    .description(
      'With ids it brings back deleted responses; after 30 days they are erased for good. With the file of a backup it ' +
        'brings back everything as it was then: it examines the backup, asks, keeps the database of now beside it and ' +
        'puts the backup in its place. Stop the site first. Ends with 3 when something is not there.',
    )
    .argument('<what...>', 'numbers from the first column of `rsvp list --deleted`, or the file of one backup')
    .option('--yes', 'do not ask before a backup is brought back')
    .option('--force', 'bring a backup back also while a site is running')
    .option('--json', 'print what was restored')
    .addHelpText('after', examples('rsvp restore 12 14', 'rsvp restore /backups/rsvp-2026-11-21T02-30-00.000Z.db'))
    .action(run('nothing', () => import('../commands/restore.ts')))

  program
    .command('erase')
    .summary("erase a person's answers for good")
    .description(
      'Erases everything that was sent with an e-mail address, at once and for good, the deleted answers included. ' +
        'Asks first; without a terminal it needs --yes. Hand the answers over before with `rsvp export --email`.',
    )
    .requiredOption('--email <address>', 'whose answers', notEmpty)
    .option('--yes', 'do not ask')
    .option('--json', 'print how many it was')
    .addHelpText('after', examples('rsvp erase --email ana@example.org', 'rsvp erase --email ana@example.org --yes'))
    .action(run('database', () => import('../commands/erase.ts')))

  program
    .command('export')
    .summary('save the responses as a file')
    .description(
      'Writes a CSV for any spreadsheet, or JSON, readable by this account only. Nothing partial is ever left behind, ' +
        'and a file that is there stays unless --force is given. In a folder, what is not the whole list is named ' +
        'rsvps-{day}-selection.',
    )
    .option(
      '--out <place>',
      'a file, a folder, or - for standard output (default: rsvps-{day}.csv in this folder)',
      notEmpty,
    )
    .addOption(status())
    .addOption(since())
    .addOption(search())
    .addOption(deleted())
    .option('--email <address>', 'everything that was sent with this address, the deleted answers included', notEmpty)
    .addOption(new Option('--json', 'write JSON with every field instead of CSV').conflicts('raw'))
    .option('--raw', 'leave cells that a spreadsheet would run as they are: for programs, not for people')
    .option('--force', 'replace a file that is there')
    .addHelpText('after', examples('rsvp export --out /backups/', 'rsvp export --status attending --out - | wc -l'))
    .action(run('database', () => import('../commands/export.ts')))

  program
    .command('stats')
    .summary('count people and offers to serve')
    .description('Counts the responses, the people expected by age group, and the offers for each role.')
    .addOption(status())
    .addOption(since())
    .addOption(search())
    .addOption(deleted())
    .option('--json', 'print a JSON object')
    .addHelpText('after', examples('rsvp stats --since 2026-11-21', 'rsvp stats --json | jq .people.expected'))
    .action(run('database', () => import('../commands/stats.ts')))

  program
    .command('watch')
    .summary('see answers as they come in')
    .description(
      'Shows answers as they come in, until Ctrl+C. In a pipe one line for each, as `rsvp list` prints them.',
    )
    .option('--json', 'print one JSON object a line')
    .addHelpText('after', examples('rsvp watch', 'rsvp watch --json | jq -r .name'))
    .action(run('database', () => import('../commands/watch.ts')))
}
