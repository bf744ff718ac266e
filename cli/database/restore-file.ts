import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Encrypted, titleOf, withPlainCopy } from '#db/backup/copies/drill.ts'
import { type Proof, UNMARKED, UNPROVED } from '#db/backup/copies/judge.ts'
import { findProofKeys } from '#db/backup/copies/proof.ts'
import { type Restoration, restoreBackup } from '#db/backup/restore.ts'
import { fileOf, quoteForShell } from '#db/config/places.ts'
import { UserError } from '#db/errors.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { counted } from '../output/counted.ts'
import { hasTerminal, printJson, say } from '../output/output.ts'
import { confirm } from '../questions/confirm.ts'
import { findCopy } from './find-copy.ts'
import { opens } from './opens.ts'
import { surroundingsOf } from './surroundings.ts'

type Options = { yes?: true; force?: boolean; unproved?: true; json?: true }

const FORGED =
  'is not as the site has sent it: its name, its time or what is in it is another one. Nothing was changed; try another one. Whoever is certain of it decrypts it with `age` and restores that file.'

const UNLESS_CERTAIN =
  'Nothing was changed; try another one. If you are certain of it, e.g. because an earlier version made it, add --unproved.'

/** Replaces the database with a backup, and reports what it did. */
export async function restoreFile(path: string, { yes, force = false, unproved, json }: Options, context: Context) {
  const { databaseUrl, copies } = context.readConfig()
  const encrypted = await findCopy(path, copies, context)
  const file = encrypted === undefined ? resolve(context.io.cwd(), path) : titleOf(encrypted, copies)
  if ((await stat(file).catch(() => undefined))?.isDirectory()) {
    throw new CommandError(exitCodes.usage, `${file} is a folder: give the file of one backup in it.`)
  }
  const target = fileOf(databaseUrl)
  if (target === undefined) {
    const sentence = `DATABASE_URL is a libSQL server. Copy the backup to an empty one: rsvp migrate-to URL --db ${quoteForShell(`file:${file}`)}`
    throw new CommandError(exitCodes.usage, sentence)
  }
  async function confirmRestore(found: Restoration): Promise<void> {
    context.signal.throwIfAborted()
    const replaced = found.kept === undefined ? 'There is no database yet.' : 'The current database is kept beside it.'
    if (yes) return
    if (hasTerminal(context.io)) say(`In ${file}: ${countOf(found)}. ${replaced}`, context.io)
    await confirm('Bring them back?', context)
  }
  try {
    const around = surroundingsOf(context)
    const restore = (from: string) =>
      restoreBackup({ file: from, named: file, target, force, examine: around.examine }, context.call, confirmRestore)
    async function restoreCopy(copy: Encrypted, sources: Omit<Parameters<typeof withPlainCopy>[1], 'proofKeys'>) {
      const proofKeys = await findProofKeys(copies, await opens(context))
      return withPlainCopy(copy, { ...sources, proofKeys }, async (plain, proof) => {
        if (proof === 'forged') throw new UserError('damaged', `${file} ${FORGED}`)
        if (proof === 'unmarked' && !unproved) throw new UserError('damaged', `${file}: ${UNMARKED} ${UNLESS_CERTAIN}`)
        if (!context.quiet) say(sentenceOf(proof), context.io)
        return restore(plain)
      })
    }
    const done =
      encrypted === undefined
        ? await restore(file)
        : await restoreCopy(encrypted, { copies, beside: target, ...around })
    if (json) return await printJson({ file, ...done }, context.io)
    if (context.quiet) return
    for (const sentence of sentencesOf(done, file)) say(sentence, context.io)
    say(nextStep(done, force), context.io)
  } catch (error) {
    throw explained(error)
  }
}

function sentenceOf(proof: Proof): string {
  if (proof === 'proved') return 'It is the copy that the site has sent.'
  return proof === 'unmarked' ? UNMARKED : UNPROVED
}

/** Turns an error of the file system into a sentence; returns any other error unchanged. */
function explained(error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error && 'path' in error)) return error
  const sentence =
    error.code === 'ENOSPC'
      ? 'The disk is full: make room, then run it again.'
      : `This account may not read or write ${error.path} (${error.code}). Use the account that runs the site.`
  return new CommandError(exitCodes.failed, sentence)
}

function sentencesOf(done: Restoration, file: string): string[] {
  return [
    `Brought back ${countOf(done)} from ${file}`,
    ...(done.kept === undefined ? [] : [`The previous database is kept as ${done.kept}`]),
    done.guarded
      ? 'The password is the one from the time of the backup, and all administrators are signed out.'
      : 'No password is set in it: run `rsvp password` before the site is on the internet.',
    'What was erased since then is there again: erase it once more.',
  ]
}

function nextStep({ isOlder }: Restoration, force: boolean): string {
  const start = force ? 'Restart the site' : 'Start the site'
  if (isOlder) return `${start}: it brings the tables up to date, which are those of an older version.`
  return force ? 'A running site uses it at once.' : `${start}.`
}

function countOf({ responses }: Restoration): string {
  return counted(responses, 'response')
}
