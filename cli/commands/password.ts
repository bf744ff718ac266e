import { text } from 'node:stream/consumers'
import { isGuarded, setPassword } from '#db/access/operations.ts'
import { readConfig } from '#db/config.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { say } from '../output.ts'

/** Sets the administrator's password, asked for twice, or read from standard input. */
export async function run(argument: string | undefined, _options: unknown, context: Context): Promise<void> {
  if (argument !== undefined) {
    throw new CommandError(exitCodes.usage, 'Leave the password out: it is asked for, or read from standard input.')
  }
  const { adminPassword, adminPasswordFile } = readConfig()
  if (adminPassword !== undefined || adminPasswordFile !== undefined) {
    const name = adminPassword === undefined ? 'ADMIN_PASSWORD_FILE' : 'ADMIN_PASSWORD'
    throw new CommandError(exitCodes.configuration, `The site takes its password from ${name}. Change it there.`)
  }
  await context.openDatabase({ mustExist: false })
  const before = await isGuarded(undefined, context.call)
  await setPassword(await newPassword(context), context.call)
  if (context.quiet) return
  say(
    before
      ? 'The password is changed. Everybody is signed out.'
      : 'The password is set. The site is guarded from now on.',
  )
  say('Sign in at /admin.')
}

async function newPassword({ signal }: Context): Promise<string> {
  if (!process.stdin.isTTY) return withoutLineBreak(await text(process.stdin))
  const { askSecret } = await import('../ui/ask-secret.ts')
  const typed = await askSecret('New password: ', signal)
  const again = typed === undefined ? undefined : await askSecret('The same again: ', signal)
  signal.throwIfAborted()
  if (typed === undefined || again === undefined) throw new CommandError(exitCodes.interrupted, '')
  if (typed === again) return typed
  throw new CommandError(exitCodes.failed, 'The two are not the same. Nothing was changed.')
}

function withoutLineBreak(typed: string): string {
  return typed.replace(/\r?\n$/, '')
}
