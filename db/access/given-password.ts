import { readFile } from 'node:fs/promises'
import type { Config } from '#db/config/config.ts'
import { UserError } from '#db/errors.ts'
import type { Call } from '#db/operation.ts'
import { newPassword } from '#db/values/schemas.ts'
import { isGuarded } from './operations.ts'

/**
 * The password of the settings, if there is one: ADMIN_PASSWORD, or the first line of ADMIN_PASSWORD_FILE.
 * @throws UserError 'configuration' when both are given, or when the file holds none.
 */
export async function givenPassword({ adminPassword, adminPasswordFile: file }: Config): Promise<string | undefined> {
  if (file === undefined || file === '') return adminPassword
  if (adminPassword !== undefined) {
    throw new UserError('configuration', 'Give ADMIN_PASSWORD or ADMIN_PASSWORD_FILE, not both.')
  }
  const password = firstLine(await readText(file))
  if (newPassword.safeParse(password).success) return password
  throw new UserError(
    'configuration',
    `The first line of ${file} (ADMIN_PASSWORD_FILE) cannot be the password. Give 12 to 128 characters.`,
  )
}

/** Whether the site is guarded once it runs with these settings on the database that is open. */
export async function isGuardedBy(config: Config, call: Call): Promise<boolean> {
  return (await givenPassword(config)) !== undefined || (await isGuarded(call))
}

/** A password from a file or a pipe: its line break is not part of it. */
export function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? ''
}

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error) => {
    throw new UserError(
      'configuration',
      `The password in ${file} (ADMIN_PASSWORD_FILE) cannot be read (${error.code}). Check the path and who may read it.`,
    )
  })
}
