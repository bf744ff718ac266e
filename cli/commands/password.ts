import { text } from 'node:stream/consumers'
import { firstLine } from '#db/access/given-password.ts'
import { isGuarded, setPassword } from '#db/access/operations.ts'
import { newPassword } from '#db/access/schema.ts'
import { readConfig } from '#db/config.ts'
import { placeOf } from '#db/database-url.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { say } from '../output.ts'

/** Sets the administrator's password, asked for twice, or read from standard input. */
export async function run(words: string[], _options: unknown, context: Context): Promise<void> {
  if (words.length > 0) {
    throw new CommandError(exitCodes.usage, 'Leave the password out: it is asked for, or read from standard input.')
  }
  const { adminPassword, adminPasswordFile, databaseUrl } = readConfig()
  if (adminPassword !== undefined || adminPasswordFile !== undefined) {
    const name = adminPassword === undefined ? 'ADMIN_PASSWORD_FILE' : 'ADMIN_PASSWORD'
    throw new CommandError(exitCodes.configuration, `The site takes its password from ${name}. Change it there.`)
  }
  const password = await askPassword(context)
  await context.openDatabase({ mustExist: false })
  const before = await isGuarded(undefined, context.call)
  await setPassword(password, context.call)
  if (context.quiet) return
  const place = placeOf(databaseUrl)
  say(
    before
      ? `The password in ${place} is changed. Everybody is signed out.`
      : `The password is set in ${place}. The site that uses it is guarded from now on: sign in at /admin.`,
  )
}

/** A password that can be set, asked for twice or read from standard input. */
async function askPassword({ signal }: Context): Promise<string> {
  const typed = process.stdin.isTTY ? await askTwice(signal) : firstLine(await text(process.stdin))
  const parsed = newPassword.safeParse(typed)
  if (parsed.success) return parsed.data
  throw new CommandError(exitCodes.failed, parsed.error.issues.map(({ message }) => message).join(' '))
}

async function askTwice(signal: AbortSignal): Promise<string> {
  const { askSecrets } = await import('../ui/ask-secret.ts')
  const answers = await askSecrets(['New password: ', 'The same again: '], signal)
  signal.throwIfAborted()
  if (answers === undefined) throw new CommandError(exitCodes.interrupted, '')
  const [typed = '', again] = answers
  if (typed === again) return typed
  throw new CommandError(exitCodes.failed, 'The two are not the same. Nothing was changed.')
}
