import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Run } from '../run.ts'
import { serverAddress } from './arguments.ts'
import { addBackupCommands } from './backup.ts'
import { examples } from './examples.ts'

/** Commands that save the database, update it and move it. */
export function addStorageCommands(program: CommandUnknownOpts, run: Run): void {
  addBackupCommands(program, run)

  program
    .command('migrate')
    .summary('update the tables after an update')
    .description(
      'Updates the tables of an older version and first keeps a copy of the database, like every start of the site. ' +
        'All other commands refuse such a database. Refuses while a site of the older version is running.',
    )
    .option('--force', 'even while the site is running; restart it afterwards')
    .option('--json', 'print whether anything changed, and which copy was kept')
    .addHelpText('after', examples('rsvp migrate', 'rsvp migrate --db file:/backups/rsvp-2025.db'))
    .action(run('nothing', () => import('../commands/migrate.ts')))

  program
    .command('migrate-to')
    .summary('copy everything to a libSQL server')
    .description(
      'Copies the database file to an empty libSQL server and compares every row. The server shows none of it until all ' +
        'of it has arrived, and the file is not changed. Stop the site first. After an interruption, run it again. The ' +
        'token of the server comes from DATABASE_AUTH_TOKEN.',
    )
    .addArgument(program.createArgument('<url>', 'the server').argParser(serverAddress))
    .option('--force', 'even while the site is running, which can store nothing meanwhile')
    .option('--json', 'print how many rows each table has')
    .addHelpText(
      'after',
      examples('rsvp migrate-to http://db.example.org:8080', 'rsvp migrate-to libsql://db.example.org --json'),
    )
    .action(run('nothing', () => import('../commands/migrate-to.ts')))
}
