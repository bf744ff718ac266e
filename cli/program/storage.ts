import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Run } from '../run.ts'
import { folderName, serverAddress, wholeNumber } from './arguments.ts'
import { examples } from './examples.ts'

/** What saves the database, and brings it to a newer version or to another place. */
export function addStorageCommands(program: CommandUnknownOpts, run: Run): void {
  program
    .command('backup')
    .summary('save everything in a new file')
    .description(
      'Saves the whole database in a new file, while the site goes on: whole and examined, or not at all. ' +
        '`rsvp restore FILE` brings it back. A database of another version is saved as it is. Ends with 78 when the ' +
        'database turns out to be damaged.',
    )
    .option('--out <folder>', 'where; without it BACKUP_DIR', folderName)
    .option('--keep <number>', 'remove older backups there, so that so many stay', wholeNumber)
    .option('--json', 'print the file, how many responses are in it, and what was removed')
    .addHelpText('after', examples('rsvp backup --out /backups/', 'rsvp backup --out /backups/ --keep 14'))
    .action(run('nothing', () => import('../commands/backup.ts')))

  program
    .command('migrate')
    .summary('bring the tables up to date after an update')
    .description(
      'Brings the tables of an older version up to date and keeps a copy of the database first, as every start of the ' +
        'site does. All other commands leave such a database as it is. Refuses while a site of the older version runs.',
    )
    .option('--force', 'also while the site runs; restart it then')
    .option('--json', 'print whether anything was done, and which copy was kept')
    .addHelpText('after', examples('rsvp migrate', 'rsvp migrate --db file:/backups/rsvp-2025.db'))
    .action(run('nothing', () => import('../commands/migrate.ts')))

  program
    .command('migrate-to')
    .summary('copy everything to a libSQL server')
    .description(
      'Copies the database file to an empty libSQL server and compares every row; the server shows nothing of it until ' +
        'all of it is there, and the file stays as it is. Stop the site before. What was interrupted is run again. The ' +
        'token of the server comes from DATABASE_AUTH_TOKEN.',
    )
    .addArgument(program.createArgument('<url>', 'the server').argParser(serverAddress))
    .option('--force', 'also while the site runs, which can store nothing meanwhile')
    .option('--json', 'print how many rows each table has')
    .addHelpText(
      'after',
      examples('rsvp migrate-to http://db.example.org:8080', 'rsvp migrate-to libsql://db.example.org --json'),
    )
    .action(run('nothing', () => import('../commands/migrate-to.ts')))
}
