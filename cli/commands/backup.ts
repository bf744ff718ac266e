import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createBackup } from '#db/backup/create.ts'
import { listBackups, momentOfBackup, newestOf } from '#db/backup/names.ts'
import { type Restoration, restoreBackup, verifyBackup } from '#db/backup/restore.ts'
import { fileOf } from '#db/config/places.ts'
import type { Context, Declare } from '../command.ts'
import { explainFileError, failure, notFoundError, usageError } from '../errors.ts'
import { examples, notEmpty, wholeNumber } from '../options.ts'
import { confirm, counted, hasTerminal, printJson, printMessage, printRows, say, sayAtTerminal } from '../output.ts'

export const declare: Declare = (command, run) => {
  command
    .description('Without a subcommand, `rsvp backup` makes a backup.')
    .addHelpText('after', examples('rsvp backup', 'rsvp backup --out /backups/ --keep 14', 'rsvp backup verify'))

  command
    .command('make', { isDefault: true })
    .summary('back up the database to a new file')
    .description(
      'Writes the whole database to a new file while the site keeps running: complete and verified, or not at all. ' +
        '`rsvp backup restore FILE` restores it. A database of another version is copied as it is. A missing folder is ' +
        'refused: its disk may not be mounted. Exits with 78 if the database turns out to be damaged. The word make can be ' +
        'left out.',
    )
    .option('--out <folder>', 'the folder, which must exist (default: BACKUP_DIR)', notEmpty)
    .option('--keep <number>', 'keep this many backups there, and remove older ones', wholeNumber)
    .option('--json', 'print the file, how many responses are in it, and what was removed')
    .addHelpText('after', examples('rsvp backup make --out /backups/', 'rsvp backup make --out /backups/ --keep 14'))
    .action(
      run('nothing', async ({ out, keep, json }, context) => {
        const { call, io } = context
        const folder = folderOf(out, context)
        await context.openDatabase({ mustExist: true, otherVersion: 'accept' })
        const { file, responses, removed } = await createBackup({ folder, keep }, call).catch((error) => {
          throw explainFileError(error, folder)
        })
        if (json) return printJson({ file, responses, removed }, io)
        sayAtTerminal(`Saved ${counted(responses, 'response')} and everything else in ${file}`, context)
        if (removed.length > 0) sayAtTerminal(`Removed ${counted(removed.length, 'older backup')}.`, context)
      }),
    )

  command
    .command('list')
    .summary('list the backups')
    .description(
      'Lists the backups in a folder, newest first: when each was made, its size in bytes, and the file, as `rsvp backup ' +
        'restore` takes it.',
    )
    .option('--out <folder>', 'the folder (default: BACKUP_DIR)', notEmpty)
    .option('--json', 'print a JSON array')
    .addHelpText('after', examples('rsvp backup list', 'rsvp backup list --json | jq length'))
    .action(
      run('nothing', async ({ out, json }, context) => {
        const folder = folderOf(out, context)
        const files = await listBackups(folder)
        const listed = await Promise.all(
          files.map(async (file) => ({ at: momentOfBackup(file).toISOString(), bytes: (await stat(file)).size, file })),
        )
        if (json) return printJson(listed, context.io)
        await printRows(
          listed.map(({ at, bytes, file }) => [at, bytes, file]),
          context.io,
        )
        if (listed.length === 0) say(`There is no backup in ${folder}: \`rsvp backup\` makes one.`, context)
      }),
    )

  command
    .command('verify')
    .summary('verify that a backup can be restored')
    .description(
      'Examines a backup as `rsvp backup restore` does, page by page, and changes nothing. Exits with 78 if the backup ' +
        'is damaged, of another program, or contains something that no version of the site creates.',
    )
    .argument('[file]', 'the file of a backup (default: the newest one in BACKUP_DIR)')
    .option('--json', 'print how many responses are in it')
    .addHelpText('after', examples('rsvp backup verify', 'rsvp backup verify --json | jq .responses'))
    .action(
      run('nothing', async (path, { json }, context) => {
        const file = path === undefined ? await newestFile(context) : resolve(context.io.cwd(), path)
        const responses = await verifyBackup(file, context.readConfig().databaseUrl).catch(explain)
        if (json) return printJson({ file, responses }, context.io)
        sayAtTerminal(`${file} can be restored: it has ${counted(responses, 'response')}.`, context)
      }),
    )

  command
    .command('restore')
    .summary('restore everything from a backup')
    .description(
      'Restores everything as it was at the time of a backup: it verifies the backup, asks, keeps the current database ' +
        'beside it and puts the backup in its place. Stop the site first. For single responses, use `rsvp restore`.',
    )
    .argument('<file>', 'the file of a backup')
    .option('--yes', 'do not ask')
    .option('--json', 'print what was restored')
    .addHelpText(
      'after',
      examples(
        'rsvp backup restore /backups/rsvp-2026-11-21T02-30-00.000Z.db',
        'rsvp backup restore /backups/rsvp-2026-11-21T02-30-00.000Z.db --yes --json',
      ),
    )
    .action(
      run('nothing', async (path, { yes, json }, context) => {
        const { call, io, readConfig, signal } = context
        const file = resolve(io.cwd(), path)
        const target = fileOf(readConfig().databaseUrl)
        if (target === undefined)
          throw usageError(
            'Restore into a file, e.g. --db file:./data/restored.db: docs/operating.md says how a server gets it.',
          )
        async function confirmRestore(responses: number): Promise<void> {
          signal.throwIfAborted()
          if (yes) return
          const kept = 'The current database is kept.'
          if (hasTerminal(io)) printMessage(`In ${file}: ${counted(responses, 'response')}. ${kept}`, io)
          await confirm('Restore them?', context)
        }
        const restored = await restoreBackup({ file, target }, call, confirmRestore).catch(explain)
        if (json) return printJson({ file, ...restored }, io)
        say(restoredText(restored, file), context)
      }),
    )
}

function folderOf(out: string | undefined, { io, readConfig }: Context): string {
  const folder = out === undefined ? readConfig().backupFolder : resolve(io.cwd(), out)
  if (folder === undefined) throw usageError('Say where, or set BACKUP_DIR.')
  return folder
}

async function newestFile(context: Context): Promise<string> {
  const folder = folderOf(undefined, context)
  const newest = newestOf(await listBackups(folder), context.call.now)
  if (newest === undefined) throw notFoundError(`There is no backup in ${folder}: \`rsvp backup\` makes one.`)
  return newest
}

function explain(error: unknown): never {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error && 'path' in error)) throw error
  if (error.code === 'ENOSPC') throw failure('The disk is full: make room, then run it again.')
  const refused = `This account may not read or write ${error.path} (${error.code}).`
  throw failure(`${refused} Use the account that runs the site.`)
}

function restoredText({ responses, kept }: Restoration, file: string): string {
  return [
    `Restored ${counted(responses, 'response')} from ${file}`,
    ...(kept === undefined ? [] : [`The previous database is kept as ${kept}`]),
    'Administrators, passwords and passkeys are those from the time of the backup: see `rsvp admins list`. All sessions ' +
      'and invitations have ended.',
    'What was erased since then is back: erase it again.',
    'Start the site.',
  ].join('\n')
}
