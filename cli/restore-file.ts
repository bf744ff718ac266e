import { resolve } from 'node:path'
import { type Restoration, restoreBackup } from '#db/backup/restore.ts'
import { readConfig } from '#db/config.ts'
import { fileOf } from '#db/database-url.ts'
import { confirm } from './confirm.ts'
import type { Context } from './context.ts'
import { CommandError, exitCodes } from './exit-code.ts'
import { printJson, say } from './output.ts'
import { explainFileError } from './write-file.ts'

type Options = { yes?: true; force?: boolean; json?: true }

/** Puts a backup in the place of the database, and says what it did. */
export async function restoreFile(word: string, { yes, force = false, json }: Options, context: Context) {
  const file = resolve(word)
  const { databaseUrl } = readConfig()
  const target = fileOf(databaseUrl)
  if (target === undefined) {
    const sentence = `DATABASE_URL is a libSQL server. Bring the backup to an empty one: rsvp migrate-to URL --db file:${file}`
    throw new CommandError(exitCodes.usage, sentence)
  }
  async function agree(found: Restoration): Promise<void> {
    context.signal.throwIfAborted()
    const replaced = found.kept === undefined ? 'There is no database yet.' : 'The database of now is kept beside it.'
    if (!yes) await confirm(`Bring back ${countOf(found)} to ${target}? ${replaced}`, context)
  }
  try {
    const done = await restoreBackup({ file, target, force }, context.call, agree)
    if (json) return await printJson({ file, ...done })
    if (context.quiet) return
    for (const sentence of sentencesOf(done, file)) say(sentence)
    if (!force) say('Start the site.')
  } catch (error) {
    throw explainFileError(error, target)
  }
}

function sentencesOf(done: Restoration, file: string): string[] {
  return [
    `Brought back ${countOf(done)} from ${file}`,
    ...(done.kept === undefined ? [] : [`The database of until now is kept as ${done.kept}`]),
    done.guarded
      ? 'The password is the one of that time, and nobody is signed in. What was erased since then is there again.'
      : 'No password is set in it: run `rsvp password` before the site is on the internet.',
  ]
}

function countOf({ responses }: Restoration): string {
  return `${responses} ${responses === 1 ? 'response' : 'responses'}`
}
