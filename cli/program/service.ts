import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Run } from '../run.ts'
import { portNumber } from './arguments.ts'
import { examples } from './examples.ts'

/** Commands that make a site a service of the system, several of them beside each other. */
export function addServiceCommands(program: CommandUnknownOpts, run: Run): void {
  const service = program
    .command('service')
    .summary('keep the site running as a service')
    .description(
      'Makes a site a service of a Linux with systemd, such as Debian or Ubuntu: it starts with the system, runs as an account of its ' +
        'own that may do little, and is backed up every night. One system can have several sites, each with a name of its own, ' +
        'which --site gives. Only root may install and uninstall: put sudo in front.',
    )
    .addHelpText('after', examples('rsvp service install', 'rsvp service status --site grace'))

  service
    .command('install')
    .summary('make the site a service')
    .description(
      'Copies this release into the system, makes an account, folders, settings and units, and starts the site. Says first ' +
        'what it will do, and asks. What is there already stays, so it can be run again. With --public-url it asks for a ' +
        'password, or reads it from standard input.',
    )
    .option('--public-url <address>', 'the address people use, e.g. https://rsvp.example.org')
    .option('--port <port>', 'listen on this port; by default the first that no other site here has', portNumber)
    .option('--time-zone <name>', 'the time zone of the church, e.g. America/Chicago')
    .option('--yes', 'do not ask')
    .option('--dry-run', 'only say what would be done')
    .addHelpText(
      'after',
      examples(
        'rsvp service install --public-url https://rsvp.example.org',
        'rsvp service install --site grace --dry-run',
      ),
    )
    .action(run('nothing', () => import('../commands/service/install.ts')))

  service
    .command('status')
    .summary('see how the service is doing')
    .description(
      'Shows whether it runs and since when, its version and address, and where its files are. Exits with 1 when it does not run.',
    )
    .option('--json', 'print a JSON object')
    .addHelpText('after', examples('rsvp service status', 'rsvp service status --site grace --json'))
    .action(run('nothing', () => import('../commands/service/status.ts')))

  service
    .command('uninstall')
    .summary('undo the installation, and keep the data')
    .description(
      'Stops the site and removes all that `rsvp service install` made, but for the database, the backups and the settings: ' +
        'these belong to root from then on. Says first what it will do, and asks.',
    )
    .option('--yes', 'do not ask')
    .option('--dry-run', 'only say what would be done')
    .addHelpText('after', examples('rsvp service uninstall', 'rsvp service uninstall --site grace --yes'))
    .action(run('nothing', () => import('../commands/service/uninstall.ts')))

  program
    .command('sites')
    .summary('see every site that runs as a service')
    .description(
      'Shows of every site that runs as a service here its name, whether it runs, which version, its address, the last ' +
        'backup and the next one, and how many MB are free. Exits with 1 where one of them does not run.',
    )
    .option('--json', 'print a JSON array')
    .addHelpText('after', examples('rsvp sites', 'rsvp sites --json'))
    .action(run('nothing', () => import('../commands/sites.ts')))
}
