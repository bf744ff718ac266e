import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { drill, type Encrypted, type Examinable, titleOf, withPlainCopy } from '#db/backup/copies/drill.ts'
import { recordDrill } from '#db/backup/copies/history.ts'
import { type Proof, UNMARKED, UNPROVED } from '#db/backup/copies/judge.ts'
import { findProofKeys } from '#db/backup/copies/proof.ts'
import { maximumAge } from '#db/backup/due.ts'
import { readCopyName } from '#db/backup/names.ts'
import { type Restoration, restoreBackup } from '#db/backup/restore.ts'
import { copyPathFor } from '#db/backup/safeguards.ts'
import { findDoubt } from '#db/clock/clock.ts'
import type { Copies } from '#db/config/config.ts'
import { fileOf, quoteForShell } from '#db/config/places.ts'
import { UserError } from '#db/errors.ts'
import { removeAbandoned } from '#db/process/files.ts'
import type { Context } from '../context.ts'
import { opens } from '../database.ts'
import { surroundingsOf } from '../examination.ts'
import { CommandError, exitCodes, failure, notFoundError, usageError } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { counted, hasTerminal, printJson, say } from '../output/output.ts'
import { displayed } from '../output/plain-text.ts'
import { confirm } from '../questions.ts'

type VerifyOptions = { maxAge?: number; json?: true }

const HOUR_MS = 60 * 60 * 1000

type RestoreOptions = { yes?: true; force?: boolean; unproved?: true; json?: true }

const FORGED =
  'is not the copy that the site sent: its name, time or contents differ. Nothing was changed; try another copy. If you are certain of it, decrypt it with `age` and restore that file.'

const UNLESS_CERTAIN =
  'Nothing was changed; try another copy. If you are certain of it, e.g. because an earlier version made it, add --unproved.'

/** Restores a backup beside the database and reports whether that works. A drill of the newest one is recorded. */
export async function verifyBackup(
  given: string | undefined,
  { maxAge, json }: VerifyOptions,
  context: Context,
): Promise<void> {
  const config = context.readConfig()
  const { io, call } = context
  let chosen: Examinable | undefined
  if (given !== undefined) {
    chosen = await findCopy(given, config.copies, context)
    const backup = resolve(io.cwd(), given)
    if (chosen === undefined && !(await stat(backup).catch(() => undefined))) {
      throw notFoundError(`There is no such file: ${backup}`)
    }
    chosen ??= { backup }
  }
  const isOpen = await opens(context)
  // A backup that the user named may have any age, and a doubtful clock tells none.
  const usualMs = given === undefined ? maximumAge(config.backupFolder) : undefined
  const isDoubtful = isOpen && (await findDoubt(call)) !== undefined
  const askedMs = maxAge === undefined ? usualMs : maxAge * HOUR_MS
  const beside = await copyPathFor(config.databaseUrl)
  await removeAbandoned(dirname(beside))
  const maximumAgeMs = isDoubtful ? undefined : askedMs
  const request = { ...surroundingsOf(context), chosen, maximumAgeMs, beside, now: call.now, isOpen }
  const found = await drill(request, config)
  if (isOpen && given === undefined) await recordDrill(found, config, call)
  if (json) await printJson(found, io)
  if (found.finding === 'altered') throw new CommandError(exitCodes.configuration, found.text)
  if (found.finding !== 'fine') throw failure(found.text)
  if (isDoubtful && !context.quiet) say('The clock is doubtful, so the age was not looked at.', io)
  // Cron mails whatever a command prints.
  if (!json && !context.quiet && io.stderr.isTTY) say(found.text, io)
}

export async function restoreBackupFile(
  path: string,
  { yes, force = false, unproved, json }: RestoreOptions,
  context: Context,
): Promise<void> {
  const { databaseUrl, copies } = context.readConfig()
  const encrypted = await findCopy(path, copies, context)
  const file = encrypted === undefined ? resolve(context.io.cwd(), path) : titleOf(encrypted, copies)
  if ((await stat(file).catch(() => undefined))?.isDirectory()) {
    throw usageError(`${file} is a folder: give the file of one backup in it.`)
  }
  const target = fileOf(databaseUrl)
  if (target === undefined) {
    const sentence = `DATABASE_URL is a libSQL server. Copy the backup to an empty one: rsvp transfer URL --db ${quoteForShell(`file:${file}`)}`
    throw usageError(sentence)
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
    const around = surroundingsOf(context)
    const restore = (from: string) =>
      restoreBackup({ file: from, named: file, target, force, examine: around.examine }, context.call, confirmRestore)
    const restoreProved = (plain: string, proof: Proof) => {
      if (proof === 'forged') throw new UserError('damaged', `${file} ${FORGED}`)
      if (proof === 'unmarked' && !unproved) throw new UserError('damaged', `${file}: ${UNMARKED} ${UNLESS_CERTAIN}`)
      const proved = 'It is the copy that the site sent.'
      if (!context.quiet) say({ proved, unmarked: UNMARKED, unproved: UNPROVED }[proof], context.io)
      return restore(plain)
    }
    const proofKeys = encrypted === undefined ? [] : await findProofKeys(copies, await opens(context))
    const sources = { copies, beside: target, proofKeys, ...around }
    const done = await (encrypted === undefined ? restore(file) : withPlainCopy(encrypted, sources, restoreProved))
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

/**
 * Finds an encrypted copy by its path here, or by its name at the other place, with or without the place before it.
 * Undefined for anything else.
 */
export async function findCopy(given: string, { place }: Copies, { io }: Context): Promise<Encrypted | undefined> {
  const file = resolve(io.cwd(), given)
  if (given.endsWith('.age') && (await stat(file).catch(() => undefined))?.isFile()) return { file }
  if (place === undefined) return undefined
  const start = `${place.title}/`
  const name = given.startsWith(start) ? given.slice(start.length) : given
  return readCopyName(name) && { name }
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
