import { resolve } from 'node:path'
import { makeIdentity } from '#db/backup/copies/encryption.ts'
import type { Context } from '../../context.ts'
import { CommandError } from '../../exit-code.ts'
import { print, say } from '../../output/output.ts'
import { writePrivateFile } from '../../output/write-file.ts'

/** Makes an age identity in a new file. The identity itself is not printed: it would stay on the screen and in logs. */
export async function run(given: string, _options: object, context: Context): Promise<void> {
  const file = resolve(context.io.cwd(), given)
  const { identity, recipient } = await makeIdentity()
  const lines = [
    `# The identity that decrypts the copies of backups. Keep another copy of this file elsewhere.\n`,
    `# created: ${context.call.now.toISOString()}\n`,
    `# public key: ${recipient}\n`,
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
