import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import type { Run } from '../run.ts'
import { aboutNoSite, examples, folderName, notEmpty, portNumber, serverAddress, wholeNumber } from './arguments.ts'

/** What sets the site up and keeps it running. */
export function addServerCommands(program: CommandUnknownOpts, run: Run): void {
  program.commandsGroup('The site itself:')

  program
    .command('init')
    .summary('set the site up')
    .description(
      'Asks for the address, the time zone, when services are and the event, and where the address is public also for the proxy, a folder ' +
        'for backups and the password; makes the database, and writes what is not the default into .env. With --yes it takes the ' +
        'defaults for what is not given. With --print it writes a file for the system to standard output and does nothing else. With --backup-key it makes ' +
        'an age identity, which decrypts the copies of backups, in a new file that only this account can read, and prints ' +
        'the settings for it. The key that proves who has made a copy is in it as well. Keep a copy of the file away from ' +
        'this computer: without it no copy can be decrypted.',
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
    .option('--backup-key <file>', 'make a key for the copies of backups in a new file, and nothing else', notEmpty)
    .addHelpText(
      'after',
      examples('rsvp init', 'rsvp init --print systemd | sudo tee /etc/systemd/system/rsvp.service'),
    )
    .action(run('nothing', async () => (await import('../commands/init.ts')).init))

  program
    .command('serve')
    .summary('start the site')
    .description('Starts the site like `npm start`, and ends when it ends.')
    .option('--host <address>', 'listen on this address instead of HOST')
    .option('--port <port>', 'listen on this port instead of PORT', portNumber)
    .addHelpText('after', examples('rsvp serve', 'rsvp serve --port 8080'))
    .action(run('process', async () => (await import('../commands/serve.ts')).serve))

  addServiceCommands(program, run)
  addBackupCommands(program, run)
  addTableCommands(program, run)

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
    .action(run('nothing', async () => (await import('../commands/doctor.ts')).doctor))

  aboutNoSite(program.command('completion'))
    .summary('let the shell complete commands')
    .description(
      'Prints the script that lets a shell complete the commands, options, features, settings, roles and topics of rsvp.',
    )
    .addArgument(program.createArgument('<shell>', 'yours').choices(['bash', 'zsh', 'fish'] as const))
    .addHelpText(
      'after',
      examples('rsvp completion bash >> ~/.bashrc', 'rsvp completion fish > ~/.config/fish/completions/rsvp.fish'),
    )
    .action(run('machine', async () => (await import('../commands/completion.ts')).completion))
}

/** Commands that make a site a service of the system, several of them beside each other, and put releases into use. */
function addServiceCommands(program: CommandUnknownOpts, run: Run): void {
  const service = program
    .command('service')
    .summary('keep the site running as a service')
    .description(
      'Makes a site a service of a Linux with systemd, such as Debian or Ubuntu: it starts with the system, runs as an account of its ' +
        'own with few rights, and is backed up every night. One system can have several sites, each with a name of its own, ' +
        'which --site gives. Only root may install and uninstall: put sudo in front.',
    )
    .addHelpText('after', examples('rsvp service install', 'rsvp service list'))

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
    .action(run('nothing', async () => (await import('../commands/service.ts')).installService))

  service
    .command('list')
    .summary('see every site that runs as a service')
    .description(
      'Shows of every site that runs as a service here, or of the one that --site names, its name, whether it runs, which ' +
        'version, its address, the last backup and the next one, and how many MB are free; --json also says where its ' +
        'files are. Exits with 1 where one of them does not run.',
    )
    .option('--json', 'print a JSON array')
    .addHelpText('after', examples('rsvp service list', 'rsvp service list --site grace --json'))
    .action(run('nothing', async () => (await import('../commands/service.ts')).listServices))

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
    .action(run('nothing', async () => (await import('../commands/service.ts')).uninstallService))

  aboutNoSite(program.command('update'))
    .summary('put a newer version into use')
    .description(
      'Updates every site that runs as a service here. Backs each up, installs the release beside the one in use, starts it once ' +
        'on a copy of each database, and puts it into use at one site after the other; visitors who arrive at that moment wait ' +
        'for a second. If a site is not well, all of them go back by themselves. Says what it will do, and asks first. ' +
        'The release is an archive, an unpacked one, or a folder with some, of which the newest counts; by default it is the ' +
        'one whose command this is, or an archive in the current folder. SHA256SUMS and its signature, SHA256SUMS.sig, have ' +
        'to lie beside an archive, and are checked with the key of the release in use before anything of it is run.',
    )
    .addArgument(program.createArgument('[release]', 'the archive, or a folder').argParser(notEmpty))
    .option('--to <version>', 'this version, also an older one', notEmpty)
    .option('--unsigned', 'also a release that no signature proves; asks for its version at the terminal')
    .option('--yes', 'do not ask')
    .option('--dry-run', 'only say what would be done')
    .addHelpText('after', examples('rsvp update rsvp-0.3.0-linux-x64.tar.gz', 'rsvp update --to 0.3.0 --yes'))
    .action(run('machine', async () => (await import('../commands/update.ts')).update))

  aboutNoSite(program.command('rollback'))
    .summary('go back to the version before')
    .description(
      'Puts the release that the last update replaced back into use, by the same steps. ' +
        'Everything stored since stays. If the update changed the tables in a way that release cannot use, it says so and ' +
        'changes nothing, unless --restore is given.',
    )
    .option('--restore', 'bring back the database from before the update as well, with the responses since')
    .option('--yes', 'do not ask')
    .option('--dry-run', 'only say what would be done')
    .addHelpText('after', examples('rsvp rollback', 'rsvp rollback --restore --yes'))
    .action(run('machine', async () => (await import('../commands/update.ts')).rollBack))
}

/** Commands that make backups, prove that they can be restored, and restore them. */
function addBackupCommands(program: CommandUnknownOpts, run: Run): void {
  const backup = program
    .command('backup')
    .summary('back up the database, and prove that it can be restored')
    .description(
      'Without a subcommand, `rsvp backup` makes a backup. An encrypted copy of it goes to another place, if ' +
        'BACKUP_COPY_TO names one.',
    )
    .addHelpText('after', examples('rsvp backup', 'rsvp backup --out /backups/ --keep 14', 'rsvp backup verify'))

  backup
    .command('make', { isDefault: true })
    .summary('back up the database to a new file')
    .description(
      'Writes the whole database to a new file while the site keeps running: complete and verified, or not at all. ' +
        '`rsvp backup restore FILE` restores it. A database of another version is copied as it is. Where BACKUP_COPY_TO is ' +
        'set, an encrypted copy goes there. Exits with 78 when the database turns out to be damaged, and with 1 when ' +
        'the copy could not be sent; the backup is made all the same. The word make can be left out.',
    )
    .option('--out <folder>', 'the folder; BACKUP_DIR by default', folderName)
    .option('--create-folder', 'make the folder of --out where it is missing')
    .option('--keep <number>', 'remove older backups there and keep this many', wholeNumber)
    .option('--if-older <hours>', 'only if the newest one there is older than this', wholeNumber)
    .option('--no-copy', 'send no copy to BACKUP_COPY_TO')
    .option(
      '--send-only',
      'make none, and send a copy of the newest one in BACKUP_DIR, for when that could not be done',
    )
    .option('--json', 'print the file, how many responses are in it, what was removed, and the copy')
    .addHelpText('after', examples('rsvp backup make --out /backups/', 'rsvp backup make --out /backups/ --keep 14'))
    .action(run('nothing', async () => (await import('../commands/backup.ts')).makeBackup))

  backup
    .command('list')
    .summary('list the backups, here and elsewhere')
    .description(
      'Lists the backups in BACKUP_DIR and their copies at the place that BACKUP_COPY_TO names, the newest first: when ' +
        'it was made, how many bytes it has, and the file, which `rsvp backup restore` takes.',
    )
    .option('--json', 'print a JSON array')
    .addHelpText('after', examples('rsvp backup list', 'rsvp backup list --json | jq length'))
    .action(run('nothing', async () => (await import('../commands/backup.ts')).listAllBackups))

  backup
    .command('verify')
    .summary('prove that a backup can be restored')
    .description(
      'Restores a backup beside the database and removes it again: it is fetched, decrypted, checked page by page, and ' +
        'counted. Takes the newest copy at the place that BACKUP_COPY_TO names, or the newest backup where it names ' +
        'none. The site does that every month. Exits with 1 when it is damaged, too old, or cannot be decrypted, ' +
        'with 78 when it holds what no version of the site makes, and says what to do.',
    )
    .argument('[file]', 'another one: the file of a backup or a copy, or the name of a copy')
    .option('--max-age <hours>', 'how old it may be; by default two nights, or 8 days without BACKUP_DIR', wholeNumber)
    .option('--json', 'print what was found')
    .addHelpText('after', examples('rsvp backup verify', 'rsvp backup verify --max-age 24 --json'))
    .action(run('nothing', async () => (await import('../commands/restore.ts')).verifyBackup))

  backup
    .command('restore')
    .summary('bring everything back as it was in a backup')
    .description(
      'Restores everything as it was at the time of a backup: it verifies the backup, asks, keeps the current database ' +
        'beside it and puts the backup in its place. Stop the site first. `rsvp restore` brings back single responses.',
    )
    .argument('<file>', 'the file of a backup or a copy, or the name of a copy')
    .option('--yes', 'do not ask')
    .option('--force', 'even while a site is running')
    .option('--unproved', 'also a copy whose name has no mark, as earlier versions made them')
    .option('--json', 'print what was restored')
    .addHelpText(
      'after',
      examples(
        'rsvp backup restore /backups/rsvp-2026-11-21T02-30-00.000Z.db',
        'rsvp backup restore /backups/rsvp-2026-11-21T02-30-00.000Z.db --yes --json',
      ),
    )
    .action(run('nothing', async () => (await import('../commands/restore.ts')).restoreBackupFile))
}

/** Commands that bring the tables up to date, and move them. */
function addTableCommands(program: CommandUnknownOpts, run: Run): void {
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
    .action(run('nothing', async () => (await import('../commands/migrate.ts')).migrate))

  program
    .command('transfer')
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
      examples('rsvp transfer http://db.example.org:8080', 'rsvp transfer libsql://db.example.org --json'),
    )
    .action(run('nothing', async () => (await import('../commands/transfer.ts')).transfer))
}
