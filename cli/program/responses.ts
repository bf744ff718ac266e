import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import { cellTitles } from '#db/rsvp/fields.ts'
import type { Run } from '../run.ts'
import { notEmpty, wholeNumber } from './arguments.ts'
import { addEntryCommands } from './entries.ts'
import { examples } from './examples.ts'
import { DEFAULT_WEEK, deleted, search, since, status, week } from './selection.ts'
import { addServiceCommands } from './services.ts'

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
    .action(run('database', () => import('../commands/merge.ts')))

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
    .option('--unproved', 'restore a copy whose name has no mark, as earlier versions made them')
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
    .action(run('database', () => import('../commands/export.ts')))

  addServiceCommands(program, run)

  program
    .command('watch')
    .summary('watch responses arrive')
    .description('Shows responses as they arrive, until Ctrl+C. In a pipe it prints one line each, like `rsvp list`.')
    .addOption(week())
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', examples('rsvp watch', 'rsvp watch --json | jq -r .name'))
    .action(run('database', () => import('../commands/watch.ts')))
}
