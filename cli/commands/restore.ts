import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Restoration, restoreBackup } from '#db/backup/restore.ts'
import { fileOf } from '#db/config/places.ts'
import type { Context } from '../context.ts'
import { failure, usageError } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { counted, hasTerminal, printJson, say } from '../output/output.ts'
import { displayed } from '../output/plain-text.ts'
import { confirm } from '../questions.ts'

type Options = { yes?: true; force?: boolean; json?: true }

export async function restoreBackupFile(
  path: string,
  { yes, force = false, json }: Options,
  context: Context,
): Promise<void> {
  const file = resolve(context.io.cwd(), path)
  if ((await stat(file).catch(() => undefined))?.isDirectory()) {
    throw usageError(`${file} is a folder: give the file of one backup in it.`)
  }
  const target = fileOf(context.readConfig().databaseUrl)
  if (target === undefined) {
    const todo = 'Restore into a file, e.g. --db file:./data/restored.db: docs/operating.md says how a server gets it.'
    throw usageError(`DATABASE_URL is a libSQL server. ${todo}`)
  }
  async function confirmRestore(found: Restoration): Promise<void> {
    context.signal.throwIfAborted()
    const replaced = found.kept === undefined ? 'There is no database yet.' : 'The current database is kept beside it.'
    if (yes) return
    if (hasTerminal(context.io)) {
      say(`In ${file}: ${counted(found.responses, 'response')}. ${replaced}`, context.io)
      sayAgain(found, context.io)
    }
    await confirm('Restore them?', context)
  }
  try {
    const done = await restoreBackup({ file, target, force }, context.call, confirmRestore)
    if (json) return await printJson({ file, ...done }, context.io)
    if (context.quiet) return
    sayRestored(done, file, force, context.io)
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && 'code' in error && 'path' in error)) throw error
    const sentence =
      error.code === 'ENOSPC'
        ? 'The disk is full: make room, then run it again.'
        : `This account may not read or write ${error.path} (${error.code}). Use the account that runs the site.`
    throw failure(sentence)
  }
}

function sayAgain({ administratorsAgain }: Restoration, io: Io): void {
  for (const { id, name, role, since } of administratorsAgain) {
    const [what, todo] =
      since === 'removed'
        ? ['is an administrator again. Remove them', `remove ${id}`]
        : [`is ${role} again. Change that`, `set ${id} --role ${since}`]
    say(`${displayed(name)}, ${since} since, ${what} with \`rsvp admins ${todo}\`.`, io)
  }
}

function sayRestored(done: Restoration, file: string, force: boolean, io: Io): void {
  const { responses, kept, guarded, isOlder } = done
  say(`Restored ${counted(responses, 'response')} from ${file}`, io)
  if (kept !== undefined) say(`The previous database is kept as ${kept}`, io)
  const password = guarded
    ? 'Administrators, passwords and passkeys are those from the time of the backup: see `rsvp admins list`. All sessions and invitations have ended.'
    : 'It has no administrator: guard the site before it is on the internet, in the browser or with `rsvp password`.'
  say(password, io)
  sayAgain(done, io)
  say('What was erased since then is back: erase it again.', io)
  const start = force ? 'Restart the site' : 'Start the site'
  if (isOlder) say(`${start}: it migrates the tables, which are from an older version.`, io)
  else say(force ? 'A running site uses it at once.' : `${start}.`, io)
}
