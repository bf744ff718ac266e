import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import type { Run } from '../run.ts'
import { notEmpty, portNumber, wholeNumber } from './arguments.ts'
import { examples } from './examples.ts'
import { addServiceCommands } from './service.ts'
import { addStorageCommands } from './storage.ts'
import { addUpdateCommands } from './update.ts'

/** What sets the site up and keeps it running. */
export function addServerCommands(program: CommandUnknownOpts, run: Run): void {
  program.commandsGroup('The site itself:')

  program
    .command('init')
    .summary('set the site up')
    .description(
      'Asks for the address, the time zone, when services are and the event, and where the address is public also for the proxy, a folder ' +
        'for backups and the password; makes the database, and writes what is not the default into .env. With --yes it takes the ' +
        'defaults for what is not given. With --print it writes a file for the system to standard output and does nothing else.',
    )
    .option('--public-url <address>', 'the address people use, e.g. https://rsvp.example.org')
    .option('--trusted-proxies <addresses>', 'the proxy in front of the site, e.g. 127.0.0.1')
    .option('--backup-dir <folder>', 'where the site puts a backup every night', notEmpty)
    .option('--time-zone <name>', 'the time zone of the church, e.g. America/Chicago')
    .option('--weekday <weekday>', 'the day of the week of the service, e.g. saturday')
    .option('--start <time>', 'when it starts, e.g. 10:00 or "6:30 PM"')
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
    .description('Starts the site like `npm start`, and ends when it ends.')
    .option('--host <address>', 'listen on this address instead of HOST')
    .option('--port <port>', 'listen on this port instead of PORT', portNumber)
    .addHelpText('after', examples('rsvp serve', 'rsvp serve --port 8080'))
    .action(run('process', () => import('../commands/serve.ts')))

  addServiceCommands(program, run)
  addUpdateCommands(program, run)
  addStorageCommands(program, run)

  program
    .command('doctor')
    .summary('check whether everything is in order')
    .description(
      'Checks Node, the settings, the database and a write to it, its permissions, the disk, the last backup, the ' +
        'clock, what will be purged, when services are, who may administer, and whether the site is running and serves from this database. ' +
        'Repairs nothing: exits with 1 when something is wrong, and says what to do.',
    )
    .option('--strict', 'exit with 1 on a warning too, for monitoring')
    .addOption(
      new Option('--changed', 'only say something when something else is wrong than the last time').conflicts('all'),
    )
    .option('--all', 'every site that runs as a service here')
    .option('--json', 'print a JSON array')
    .addHelpText('after', examples('rsvp doctor', 'rsvp doctor --strict --changed', 'rsvp doctor --all --json'))
    .action(run('nothing', () => import('../commands/doctor.ts')))

  program
    .command('seed')
    .summary('add sample responses')
    .description(
      'Adds realistic sample responses to try the site with. Refuses when there are real responses, unless --force is ' +
        'given. --remove deletes the samples again, and nothing else; it asks first.',
    )
    .option('--count <number>', 'how many', wholeNumber, 20)
    .option('--force', 'even beside real responses')
    .option('--remove', 'delete all samples for good')
    .option('--yes', 'do not ask before deleting')
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
