import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Run } from '../run.ts'
import { command, examples, folderName, portNumber, wholeNumber } from './arguments.ts'

export function addServerCommands(program: CommandUnknownOpts, run: Run): void {
  program.commandsGroup('The site itself:')

  command(program, 'serve', 'start the site', ['Runs the site like `npm start`, until it ends.'])
    .option('--host <address>', 'listen on this address instead of HOST')
    .option('--port <port>', 'listen on this port instead of PORT', portNumber)
    .addHelpText(...examples('rsvp serve', 'rsvp serve --port 8080'))
    .action(run('process', async () => (await import('../commands/serve.ts')).serve))

  addBackupCommands(program, run)
  addTableCommands(program, run)
  addMailCommands(program, run)

  command(program, 'doctor', 'check that everything is in order', [
    'Checks the settings, every page and table of the database, the last backup, whether the site replies at its',
    'address, and the mail. It repairs nothing: it exits with 1 if something is wrong, and says what to do.',
  ])
    .option('--json', 'print a JSON array')
    .addHelpText(...examples('rsvp doctor', 'rsvp doctor --quiet'))
    .action(run('nothing', async () => (await import('../commands/doctor.ts')).doctor))
}

function addBackupCommands(program: CommandUnknownOpts, run: Run): void {
  const backup = command(program, 'backup', 'back up the database, and restore it', [
    'Without a subcommand, `rsvp backup` makes a backup.',
  ]).addHelpText(...examples('rsvp backup', 'rsvp backup --out /backups/ --keep 14', 'rsvp backup verify'))

  const description = [
    'Writes the whole database to a new file while the site keeps running: complete and verified, or not at',
    'all. `rsvp backup restore FILE` restores it. A database of another version is copied as it is. A missing',
    'folder is refused: its disk may not be mounted. Exits with 78 if the database turns out to be damaged; the',
    'backup is made anyway if everything can still be read. The word make can be left out.',
  ]
  command(backup, 'make', 'back up the database to a new file', description, { isDefault: true })
    .option('--out <folder>', 'the folder, which must exist (default: BACKUP_DIR)', folderName)
    .option('--keep <number>', 'keep this many backups there, and remove older ones', wholeNumber)
    .option('--json', 'print the file, how many responses are in it, and what was removed')
    .addHelpText(...examples('rsvp backup make --out /backups/', 'rsvp backup make --out /backups/ --keep 14'))
    .action(run('nothing', async () => (await import('../commands/backup.ts')).makeBackup))

  command(backup, 'list', 'list the backups', [
    'Lists the backups in a folder, newest first: when each was made, its size in bytes, and the file, as',
    '`rsvp backup restore` takes it.',
  ])
    .option('--out <folder>', 'the folder (default: BACKUP_DIR)', folderName)
    .option('--json', 'print a JSON array')
    .addHelpText(...examples('rsvp backup list', 'rsvp backup list --json | jq length'))
    .action(run('nothing', async () => (await import('../commands/backup.ts')).listMadeBackups))

  command(backup, 'verify', 'verify that a backup can be restored', [
    'Examines a backup as `rsvp backup restore` does, page by page, and changes nothing. Exits with 78 if the',
    'backup is damaged, of another program, or contains something that no version of the site creates.',
  ])
    .argument('[file]', 'the file of a backup (default: the newest one in BACKUP_DIR)')
    .option('--json', 'print how many responses are in it')
    .addHelpText(...examples('rsvp backup verify', 'rsvp backup verify --json | jq .responses'))
    .action(run('nothing', async () => (await import('../commands/restore.ts')).verifyBackupFile))

  command(backup, 'restore', 'restore everything from a backup', [
    'Restores everything as it was at the time of a backup: it verifies the backup, asks, keeps the current',
    'database beside it and puts the backup in its place. Stop the site first. For single responses, use `rsvp',
    'restore`.',
  ])
    .argument('<file>', 'the file of a backup')
    .option('--yes', 'do not ask')
    .option('--json', 'print what was restored')
    .addHelpText(
      ...examples(
        'rsvp backup restore /backups/rsvp-2026-11-21T02-30-00.000Z.db',
        'rsvp backup restore /backups/rsvp-2026-11-21T02-30-00.000Z.db --yes --json',
      ),
    )
    .action(run('nothing', async () => (await import('../commands/restore.ts')).restoreBackupFile))
}

function addTableCommands(program: CommandUnknownOpts, run: Run): void {
  command(program, 'migrate', 'bring the tables up to date after an update', [
    'Updates the tables of an older version after keeping a copy of the database, like every start of the site.',
    'All other commands refuse such a database. It refuses while a site of the older version is running.',
  ])
    .option('--json', 'print whether anything changed, and which copy was kept')
    .addHelpText(...examples('rsvp migrate', 'rsvp migrate --db file:/backups/rsvp-2025.db'))
    .action(run('nothing', async () => (await import('../commands/migrate.ts')).migrate))
}

function addMailCommands(program: CommandUnknownOpts, run: Run): void {
  const mail = command(program, 'mail', 'test the mail server, and send again what was not sent', [
    'The site sends mail once SMTP_URL and MAIL_FROM are set, see `rsvp help environment`.',
  ]).addHelpText(...examples('rsvp mail test ruth@example.org', 'rsvp mail retry'))

  command(mail, 'test', 'send a test message', [
    'Sends one message at once, by default to MAIL_FROM, and says what the mail server replied.',
  ])
    .argument('[address]', 'to whom')
    .addHelpText(...examples('rsvp mail test', 'rsvp mail test ruth@example.org'))
    .action(run('database', async () => (await import('../commands/mail.ts')).testMail))

  command(mail, 'retry', 'send messages again that were not sent', [
    'Queues those messages once more, and those that the mail server has refused until now; the running site sends',
    'them. Who got one of unknown outcome gets it twice: the administration repeats single ones, at Settings, Mail.',
  ])
    .option('--json', 'print a JSON object')
    .addHelpText(...examples('rsvp mail retry', 'rsvp mail retry --json'))
    .action(run('database', async () => (await import('../commands/mail.ts')).retry))
}
