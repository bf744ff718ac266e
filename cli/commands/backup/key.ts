import { resolve } from 'node:path'
import { makeIdentity } from '#db/backup/copies/encryption.ts'
import { keptProofKey, readProofKey } from '#db/backup/copies/proof.ts'
import type { Context } from '../../context.ts'
import { opens } from '../../database/opens.ts'
import { CommandError } from '../../exit-code.ts'
import { print, say } from '../../output/output.ts'
import { writePrivateFile } from '../../output/write-file.ts'

const AGAIN = 'Start the site once before you make the key.'

/** Makes an age identity in a new file. The identity itself is not printed: it would stay on the screen and in logs. */
export async function run(given: string, _options: object, context: Context): Promise<void> {
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
    throw naming(error, file)
  })
  if (!context.quiet) {
    say(`Made ${file}. Put these two lines into .env:`, context.io)
  }
  await print(`BACKUP_COPY_RECIPIENT=${recipient}\nBACKUP_COPY_IDENTITY_FILE=${file}\n`, context.io)
  if (context.quiet) return
  if (key === undefined) {
    say(`There is no database yet, so ${file} cannot prove later who has made a copy. ${AGAIN}`, context.io)
  }
  say(
    `Keep a copy of ${file} away from this computer, e.g. printed or in a password manager. If it is lost, no copy of a ` +
      'backup can ever be decrypted, by anyone.',
    context.io,
  )
}

/** As for every file, but there is no option for another one, nor one to replace it. */
function naming(error: unknown, file: string): unknown {
  if (!(error instanceof CommandError)) return error
  const sentence = error.message.includes('exists already')
    ? `${file} exists already and stays as it is: without it, copies could never be decrypted. Give another file.`
    : error.message.replace('give another --out', 'give another file').replace(' with --out', '')
  return new CommandError(error.exitCode, sentence)
}
