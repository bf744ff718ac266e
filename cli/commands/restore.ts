import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { listBackups, newestOf } from '#db/backup/names.ts'
import { type Restoration, restoreBackup, verifyBackup } from '#db/backup/restore.ts'
import { fileOf } from '#db/config/places.ts'
import type { Context } from '../context.ts'
import { failure, notFoundError, usageError } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { counted, hasTerminal, printJson, say } from '../output/output.ts'
import { confirm } from '../questions.ts'

type Options = { yes?: true; json?: true }

export async function restoreBackupFile(path: string, { yes, json }: Options, context: Context): Promise<void> {
  const file = await fileGiven(path, context.io)
  const target = fileOf(context.readConfig().databaseUrl)
  if (target === undefined) {
    const todo = 'Restore into a file, e.g. --db file:./data/restored.db: docs/operating.md says how a server gets it.'
    throw usageError(`DATABASE_URL is a libSQL server. ${todo}`)
  }
  async function confirmRestore(found: Restoration): Promise<void> {
    context.signal.throwIfAborted()
    const replaced = found.kept === undefined ? 'There is no database yet.' : 'The current database is kept beside it.'
    if (yes) return
    if (hasTerminal(context.io)) say(`In ${file}: ${counted(found.responses, 'response')}. ${replaced}`, context.io)
    await confirm('Restore them?', context)
  }
  const done = await restoreBackup({ file, target }, context.call, confirmRestore).catch(explain)
  if (json) return printJson({ file, ...done }, context.io)
  if (!context.quiet) sayRestored(done, file, context.io)
}

/** Says whether a backup can be restored, by default the newest one in BACKUP_DIR. */
export async function verifyBackupFile(
  path: string | undefined,
  { json }: { json?: true },
  context: Context,
): Promise<void> {
  const { databaseUrl } = context.readConfig()
  const file = path === undefined ? await newestFile(context) : await fileGiven(path, context.io)
  const found = await verifyBackup(file, databaseUrl).catch(explain)
  if (json) return printJson({ file, ...found }, context.io)
  // Cron mails whatever a command prints.
  if (context.quiet || !context.io.stderr.isTTY) return
  say(`${file} can be restored: it has ${counted(found.responses, 'response')}.`, context.io)
}

async function newestFile({ readConfig, call }: Context): Promise<string> {
  const { backupFolder } = readConfig()
  if (backupFolder === undefined) throw usageError('Give the file of a backup, or set BACKUP_DIR.')
  const newest = newestOf(await listBackups(backupFolder), call.now)
  if (newest === undefined) throw notFoundError(`There is no backup in ${backupFolder}: \`rsvp backup\` makes one.`)
  return newest
}

async function fileGiven(path: string, { cwd }: Io): Promise<string> {
  const file = resolve(cwd(), path)
  if (!(await stat(file).catch(() => undefined))?.isDirectory()) return file
  throw usageError(`${file} is a folder: give the file of one backup in it.`)
}

function explain(error: unknown): never {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error && 'path' in error)) throw error
  if (error.code === 'ENOSPC') throw failure('The disk is full: make room, then run it again.')
  const refused = `This account may not read or write ${error.path} (${error.code}).`
  throw failure(`${refused} Use the account that runs the site.`)
}

function sayRestored(done: Restoration, file: string, io: Io): void {
  const { responses, kept, guarded, isOlder } = done
  say(`Restored ${counted(responses, 'response')} from ${file}`, io)
  if (kept !== undefined) say(`The previous database is kept as ${kept}`, io)
  const password = guarded
    ? 'Administrators, passwords and passkeys are those from the time of the backup: see `rsvp admins list`. All sessions and invitations have ended.'
    : 'It has no administrator: guard the site before it is on the internet, in the browser or with `rsvp password`.'
  say(password, io)
  say('What was erased since then is back: erase it again.', io)
  say(`Start the site${isOlder ? ': it migrates the tables, which are from an older version' : ''}.`, io)
}
