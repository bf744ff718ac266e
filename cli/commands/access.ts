import { listAdministrators } from '#db/access/administrators.ts'
import { setPassword, setPasswordOf } from '#db/access/setup.ts'
import { isNew, placeOf } from '#db/config/places.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes, usageError } from '../exit-code.ts'
import { say } from '../output/output.ts'
import { readNewPassword } from '../questions.ts'
import { findAdmin } from './admins.ts'

/**
 * Sets the password of the only administrator, or of the one with the email of --of. It is asked for twice, or read from
 * standard input.
 */
export async function password({ of }: { of?: string }, context: Context): Promise<void> {
  const { adminPassword, adminPasswordFile, databaseUrl } = context.readConfig()
  if (of === undefined && (adminPassword !== undefined || adminPasswordFile !== undefined)) {
    const name = adminPassword === undefined ? 'ADMIN_PASSWORD_FILE' : 'ADMIN_PASSWORD'
    throw new CommandError(exitCodes.configuration, `The site takes its password from ${name}. Change it there.`)
  }
  // Opened before the question, to fail early; a new database is created only once there is a usable password.
  const person = isNew(databaseUrl) && of === undefined ? undefined : await findPerson(of, context)
  const given = await readNewPassword('New password, 12 to 128 characters: ', context)
  await context.openDatabase({ mustExist: false })
  if (of === undefined) await setPassword(given, context.call)
  else await setPasswordOf({ email: of, password: given }, context.call)
  if (context.quiet) return
  const place = placeOf(databaseUrl)
  say(
    person === undefined
      ? `The password is set in ${place}. The site that uses it is guarded from now on: sign in at /admin.`
      : `The password in ${place} is changed. The person is signed out in every browser.`,
    context.io,
  )
}

/** Whose password it will be; undefined while the site is open. */
async function findPerson(email: string | undefined, { call, openDatabase }: Context) {
  await openDatabase({ mustExist: true })
  if (email !== undefined) return findAdmin(email, call)
  const [only, ...others] = await listAdministrators(call)
  if (others.length === 0) return only
  throw usageError('There are several administrators. Say whose password it is, with --of EMAIL.')
}
