import { lstat, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { makeIdentity } from '#db/backup/copies/encryption.ts'
import { openPlace } from '#db/backup/copies/open-place.ts'
import { keptProofKey, readProofKey } from '#db/backup/copies/proof.ts'
import { type SentCopy, sendCopy } from '#db/backup/copies/send.ts'
import { listBackups, momentOfBackup, newestOf, sortedCopies } from '#db/backup/names.ts'
import { createBackup } from '#db/backup/operations.ts'
import { doubtSentence } from '#db/clock/clock.ts'
import { fileOf } from '#db/config/places.ts'
import { UserError } from '#db/errors.ts'
import type { Context } from '../context.ts'
import { opens } from '../database.ts'
import { surroundingsOf } from '../examination.ts'
import { CommandError, exitCodes, failure, notFoundError, usageError } from '../exit-code.ts'
import { counted, print, printJson, printRows, say } from '../output/output.ts'
import { explainFileError, writePrivateFile } from '../output/write-file.ts'

type MakeOptions = {
  sendOnly?: true
  out?: string
  createFolder?: true
  keep?: number
  ifOlder?: number
  copy: boolean
  json?: true
}

const HOUR_MS = 60 * 60 * 1000

/** `responses` is known only for copies, whose names contain it. */
type Listed = { at: string; bytes: number; file: string; responses?: number }

/**
 * Saves the whole database in a new file and removes older files beyond --keep. Then sends a copy to the other place,
 * if one is set; the backup stays even if that fails.
 */
export async function makeBackup(options: MakeOptions, context: Context): Promise<void> {
  const { out, createFolder, keep, ifOlder, copy, json } = options
  if (options.sendOnly) return sendNewest(json, context)
  const { backupFolder, databaseUrl, copies } = context.readConfig()
  const folder = out === undefined ? backupFolder : resolve(context.io.cwd(), out)
  if (folder === undefined) throw usageError('Say where with --out, or set BACKUP_DIR.')
  // Not stat: a broken link is reported later.
  const isMissing = await lstat(folder).then(
    () => false,
    (error) => error.code === 'ENOENT',
  )
  if (isMissing && out !== undefined && createFolder === undefined) {
    // Its disk may not be mounted: a backup in the bare mount point would look like one on the disk.
    const todo = 'Mount its disk, create it, or add --create-folder.'
    throw failure(`There is no folder ${folder}, so nothing was saved. ${todo}`)
  }
  const newest = ifOlder === undefined ? undefined : newestOf(await listBackups(folder), context.call.now)
  if (ifOlder !== undefined && newest !== undefined) {
    const age = context.call.now.getTime() - momentOfBackup(newest).getTime()
    // One from the future counts as old.
    if (age >= 0 && age <= ifOlder * HOUR_MS) return
  }
  await context.openDatabase({ mustExist: true, otherVersion: 'accept' })
  const { file, responses, removed, doubt } = await createBackup(
    { folder, database: fileOf(databaseUrl), keep },
    context.call,
  ).catch((error) => {
    throw explainFileError(error, folder)
  })
  if (doubt !== undefined && keep !== undefined && !context.quiet) {
    say(`No older backup was removed. ${doubtSentence(doubt)}`, context.io)
  }
  // Cron mails whatever a command prints.
  const silent = json || context.quiet || !context.io.stderr.isTTY
  if (!silent) {
    say(`Saved ${counted(responses, 'response')} and everything else in ${file}`, context.io)
    if (removed.length > 0) say(`Removed ${counted(removed.length, 'older backup')}.`, context.io)
  }
  const saved = { file, responses, removed }
  if (!copy || copies.place === undefined) return json && printJson(saved, context.io)
  try {
    const sent = await sendBackup(file, context)
    if (json) await printJson({ ...saved, copy: sent }, context.io)
  } catch (error) {
    if (json) await printJson({ ...saved, copy: null }, context.io)
    if (!(error instanceof UserError)) throw error
    const todo = 'Then run `rsvp backup --send-only`.'
    throw new UserError(error.code, `${file} was saved, but no copy of it was sent. ${error.message} ${todo}`)
  }
}

async function sendNewest(json: true | undefined, context: Context): Promise<void> {
  const { backupFolder } = context.readConfig()
  if (backupFolder === undefined)
    throw new CommandError(exitCodes.configuration, 'Set BACKUP_DIR, the folder of the backups.')
  const newest = newestOf(await listBackups(backupFolder), context.call.now)
  if (newest === undefined) {
    throw notFoundError(`There is no backup in ${backupFolder}: run \`rsvp backup\`.`)
  }
  await context.openDatabase({ mustExist: true, otherVersion: 'accept' })
  const sent = await sendBackup(newest, context)
  if (json) await printJson(sent, context.io)
}

/** Newest first. Backups here are listed even if the other place cannot be reached. */
export async function listAllBackups({ json }: { json?: true }, context: Context): Promise<void> {
  const here = await listHere(context)
  const elsewhere = await listElsewhere(context).catch((error: unknown) => ({ error }))
  const all = [...here, ...('error' in elsewhere ? [] : elsewhere)].toSorted((a, b) => (a.at < b.at ? 1 : -1))
  if (json) await printJson(all, context.io)
  else
    await printRows(
      all.map(({ at, bytes, file }) => [at, bytes, file]),
      context.io,
    )
  if ('error' in elsewhere) throw elsewhere.error
  if (all.length > 0 || context.quiet) return
  const { backupFolder, copies } = context.readConfig()
  const places = [backupFolder, copies.place?.title].filter((place) => place !== undefined)
  const unset =
    'BACKUP_DIR is not set, so no folder is known to hold backups. Set it, or look where `rsvp backup --out` put them.'
  say(
    places.length > 0 ? `There is no backup in ${places.join(' or ')}: \`rsvp backup\` makes one.` : unset,
    context.io,
  )
}

async function sendBackup(file: string, context: Context): Promise<SentCopy> {
  const { copies } = context.readConfig()
  const sent = await sendCopy(file, copies, context.call, surroundingsOf(context)).catch((error) => {
    throw explainFileError(error, file)
  })
  if (!context.quiet && context.io.stderr.isTTY) {
    say(`Sent an encrypted copy to ${sent.place}/${sent.name}`, context.io)
    if (sent.removed.length > 0)
      say(`Removed ${counted(sent.removed.length, 'older copy', 'older copies')} there.`, context.io)
  }
  return sent
}

/** Creates an age identity in a new file. It is not printed, because it would stay on the screen and in logs. */
export async function makeBackupKey(given: string, context: Context): Promise<void> {
  const file = resolve(context.io.cwd(), given)
  const { identity, recipient } = await makeIdentity()
  const key = (await opens(context)) ? await readProofKey() : undefined
  const lines = [
    `# The identity that decrypts the copies of backups. Keep another copy of this file elsewhere.\n`,
    `# created: ${context.call.now.toISOString()}\n`,
    `# public key: ${recipient}\n`,
    ...(key === undefined ? [] : [keptProofKey(key)]),
    `${identity}\n`,
  ]
  await writePrivateFile(file, lines, { replace: false }).catch((error) => {
    if (!(error instanceof CommandError)) throw error
    // The usual sentences name --out and --force, which this command does not have.
    const sentence = error.message.includes('exists already')
      ? `${file} exists already and stays as it is: without it, copies could never be decrypted. Give another file.`
      : error.message.replace('give another --out', 'give another file').replace(' with --out', '')
    throw new CommandError(error.exitCode, sentence)
  })
  if (!context.quiet) {
    say(`Created ${file}. Put these two lines into .env:`, context.io)
  }
  await print(`BACKUP_COPY_RECIPIENT=${recipient}\nBACKUP_COPY_IDENTITY_FILE=${file}\n`, context.io)
  if (context.quiet) return
  if (key === undefined) {
    const todo = 'Start the site once, then create the key.'
    say(`There is no database yet, so ${file} could not prove later that a copy is yours. ${todo}`, context.io)
  }
  say(
    `Keep a copy of ${file} away from this computer, e.g. printed or in a password manager. If it is lost, no copy of a ` +
      'backup can ever be decrypted, by anyone.',
    context.io,
  )
}

async function listHere(context: Context): Promise<Listed[]> {
  const { backupFolder } = context.readConfig()
  const listed: Listed[] = []
  for (const file of backupFolder === undefined ? [] : await listBackups(backupFolder)) {
    const found = await stat(file).catch(() => undefined)
    if (found !== undefined) listed.push({ at: momentOfBackup(file).toISOString(), bytes: found.size, file })
  }
  return listed
}

async function listElsewhere(context: Context): Promise<Listed[]> {
  const { copies } = context.readConfig()
  if (copies.place === undefined) return []
  const { title, list } = await openPlace(copies, surroundingsOf(context))
  return sortedCopies(await list()).map(({ name, bytes, moment, counts }) => ({
    at: moment.toISOString(),
    bytes,
    file: `${title}/${name}`,
    responses: counts.responses,
  }))
}
