import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Run } from '../run.ts'
import { folderName, wholeNumber } from './arguments.ts'
import { examples } from './examples.ts'

/** Commands that make backups, copy them elsewhere, and prove that they can be restored. */
export function addBackupCommands(program: CommandUnknownOpts, run: Run): void {
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
        '`rsvp restore FILE` restores it. A database of another version is copied as it is. Where BACKUP_COPY_TO is ' +
        'set, an encrypted copy goes there. Exits with 78 when the database turns out to be damaged, and with 1 when ' +
        'the copy could not be sent; the backup is made all the same. The word make can be left out.',
    )
    .option('--out <folder>', 'the folder; BACKUP_DIR by default', folderName)
    .option('--create-folder', 'make the folder of --out where it is missing')
    .option('--keep <number>', 'remove older backups there and keep this many', wholeNumber)
    .option('--if-older <hours>', 'only if the newest one there is older than this', wholeNumber)
    .option('--no-copy', 'send no copy to BACKUP_COPY_TO')
    .option('--json', 'print the file, how many responses are in it, what was removed, and the copy')
    .addHelpText('after', examples('rsvp backup make --out /backups/', 'rsvp backup make --out /backups/ --keep 14'))
    .action(run('nothing', () => import('../commands/backup/make.ts')))

  backup
    .command('send')
    .summary('send a copy of the newest backup')
    .description(
      'Encrypts the newest backup in BACKUP_DIR and sends it to the place that BACKUP_COPY_TO names, where it appears ' +
        'whole or not at all. `rsvp backup` does that by itself: this is for when it could not.',
    )
    .option('--json', 'print the place, the name of the copy, and what was removed there')
    .addHelpText('after', examples('rsvp backup send', 'rsvp backup send --json'))
    .action(run('nothing', () => import('../commands/backup/send.ts')))

  backup
    .command('list')
    .summary('list the backups, here and elsewhere')
    .description(
      'Lists the backups in BACKUP_DIR and their copies at the place that BACKUP_COPY_TO names, the newest first: when ' +
        'it was made, how many bytes it has, and the file, which `rsvp restore` takes.',
    )
    .option('--json', 'print a JSON array')
    .addHelpText('after', examples('rsvp backup list', 'rsvp backup list --json | jq length'))
    .action(run('nothing', () => import('../commands/backup/list.ts')))

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
    .action(run('nothing', () => import('../commands/backup/verify.ts')))

  backup
    .command('key')
    .summary('make a key for the copies')
    .description(
      'Makes an age identity, which decrypts the copies, in a new file that only this account can read, and prints its ' +
        'recipient for BACKUP_COPY_RECIPIENT. The key that proves who has made a copy is in it as well. Keep a copy of ' +
        'the file away from this computer: without it no copy can be decrypted.',
    )
    .argument('<file>', 'a file that does not exist yet')
    .addHelpText(
      'after',
      examples('rsvp backup key data/backup-identity.txt', 'rsvp backup key /etc/rsvp-identity.txt'),
    )
    .action(run('nothing', () => import('../commands/backup/key.ts')))
}
