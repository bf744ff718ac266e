import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import type { Run } from '../run.ts'
import { folderName, notEmpty, portNumber, serverAddress, wholeNumber } from './arguments.ts'
import { examples } from './examples.ts'

/** What sets the site up and keeps it running. */
export function addServerCommands(program: CommandUnknownOpts, run: Run): void {
  program.commandsGroup('The site itself:')

  program
    .command('init')
    .summary('set the site up')
    .description(
      'Asks for the address, the time zone and the event, and where the address is public also for the proxy, a folder ' +
        'for backups and the password; writes .env and makes the database. With --yes it takes the ' +
        'defaults for what is not given. With --print it writes a file for the system to standard output and does nothing else.',
    )
    .option('--public-url <address>', 'the address people use, as in https://rsvp.example.org')
    .option('--trusted-proxies <addresses>', 'the proxy in front of the site, as in 127.0.0.1')
    .option('--backup-dir <folder>', 'where the site puts a backup every night', notEmpty)
    .option('--time-zone <name>', 'as in America/Chicago')
    .option('--title <text>', 'the title of the page')
    .option('--date <text>', 'the day, as people should read it')
    .option('--time <text>', 'the time, as people should read it')
    .option('--location <text>', 'where it is')
    .option('--yes', 'ask nothing')
    .option('--force', 'use --db although the site has another database')
    .option('--dry-run', 'only say what would be done')
    .addOption(
      new Option('--print <file>', 'print a file for this machine').choices(['systemd', 'crontab', 'caddy'] as const),
    )
    .addHelpText(
      'after',
      examples('rsvp init', 'rsvp init --print systemd | sudo tee /etc/systemd/system/rsvp.service'),
    )
    .action(run('nothing', () => import('../commands/init.ts')))

  program
    .command('serve')
    .summary('start the site')
    .description('Starts the site, as `npm start` does, and ends with it.')
    .option('--host <address>', 'another address than HOST to listen on')
    .option('--port <port>', 'another port than PORT', portNumber)
    .addHelpText('after', examples('rsvp serve', 'rsvp serve --port 8080'))
    .action(run('process', () => import('../commands/serve.ts')))

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

  program
    .command('doctor')
    .summary('look whether all is well')
    .description(
      'Looks at Node, the settings, the database, its permissions, the disk, the last backup, the clock, what falls due by it, ' +
        'who may administer, and whether the site answers and serves from this database; and stores something. ' +
        'Ends with 1 when something is wrong, and says what to do.',
    )
    .option('--strict', 'end with 1 on a warning too, as monitoring wants it')
    .option('--json', 'print a JSON array')
    .addHelpText('after', examples('rsvp doctor', 'rsvp doctor --quiet --strict'))
    .action(run('nothing', () => import('../commands/doctor.ts')))

  const clock = program
    .command('clock')
    .summary('say that the time is right')
    .description(
      'While the clock is far from the latest moment known, nothing is made anonymous, erased or removed by date. That ' +
        'ends when the clock is right again, when somebody confirms it, or after seven days of steady running.',
    )
    .addHelpText('after', examples('rsvp clock show', 'rsvp clock confirm'))

  clock
    .command('show')
    .summary('see what time it is taken to be')
    .description(
      'Shows the clock, the latest moment known, whether the time is believed, and how many responses lose names or are ' +
        'erased by it, and when.',
    )
    .option('--json', 'print a JSON object')
    .addHelpText('after', examples('rsvp clock show', 'rsvp clock show --json | jq .doubt'))
    .action(run('database', () => import('../commands/clock/show.ts')))

  clock
    .command('confirm')
    .summary('say that this clock is right')
    .description(
      'Makes what this clock shows the latest moment known. What is due by it then goes for good: it says how many ' +
        'responses that are, and asks.',
    )
    .option('--yes', 'do not ask')
    .option('--json', 'print what `rsvp clock show` does')
    .addHelpText('after', examples('rsvp clock confirm', 'rsvp clock confirm --yes'))
    .action(run('database', () => import('../commands/clock/confirm.ts')))

  program
    .command('seed')
    .summary('fill it with sample responses')
    .description(
      'Adds believable sample responses, to look at the site with life in it. Refuses where people have answered ' +
        'already, unless --force is given. --remove takes the samples away again, and only those, once somebody said yes.',
    )
    .option('--count <number>', 'how many', wholeNumber, 20)
    .option('--force', 'also beside the answers of real people')
    .option('--remove', 'delete all samples for good')
    .option('--yes', 'do not ask before they are deleted')
    .addHelpText('after', examples('rsvp seed --count 50', 'rsvp seed --remove --yes'))
    .action(run('database', () => import('../commands/seed.ts')))

  program
    .command('completion')
    .summary('let the shell complete commands')
    .description(
      'Prints the script that lets a shell complete the commands, options, features, settings, roles and topics of rsvp.',
    )
    .addArgument(program.createArgument('<shell>', 'yours').choices(['bash', 'zsh', 'fish'] as const))
    .addHelpText(
      'after',
      examples('rsvp completion bash >> ~/.bashrc', 'rsvp completion fish > ~/.config/fish/completions/rsvp.fish'),
    )
    .action(run('nothing', () => import('../commands/completion.ts')))
}
