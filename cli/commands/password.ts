import { text } from 'node:stream/consumers'
import { firstLine } from '#db/access/at-start.ts'
import { isGuarded, setPassword } from '#db/access/operations.ts'
import { isNew, placeOf } from '#db/config/places.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { say } from '../output/output.ts'
import { askNewPassword, usablePassword } from '../questions/ask-password.ts'

/** Sets the administrator's password, asked for twice, or read from standard input. */
export async function run(words: string[], _options: unknown, context: Context): Promise<void> {
  if (words.length > 0) {
    throw new CommandError(exitCodes.usage, 'Leave the password out: it is asked for, or read from standard input.')
  }
  const { adminPassword, adminPasswordFile, databaseUrl } = context.readConfig()
  if (adminPassword !== undefined || adminPasswordFile !== undefined) {
    const name = adminPassword === undefined ? 'ADMIN_PASSWORD_FILE' : 'ADMIN_PASSWORD'
    throw new CommandError(exitCodes.configuration, `The site takes its password from ${name}. Change it there.`)
  }
  // Before the question; a database that is not there yet is created only for a password that can be set.
  if (!isNew(databaseUrl)) await context.openDatabase({ mustExist: true })
  const password = context.io.stdin.isTTY
    ? await askNewPassword('New password, 12 to 128 characters: ', context)
    : usablePassword(firstLine(await text(context.io.stdin)))
  await context.openDatabase({ mustExist: false })
  const before = await isGuarded(context.call)
  await setPassword(password, context.call)
  if (context.quiet) return
  const place = placeOf(databaseUrl)
  say(
    before
      ? `The password in ${place} is changed. All administrators are signed out.`
      : `The password is set in ${place}. The site that uses it is guarded from now on: sign in at /admin.`,
    context.io,
  )
}
