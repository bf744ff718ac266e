import { readFile } from 'node:fs/promises'
import type { Config } from '#db/config/config.ts'
import { rsvpCommand } from '#db/config/places.ts'
import { UserError } from '#db/errors.ts'
import type { Call } from '#db/operation.ts'
import { newPassword } from '#db/values/schemas.ts'
import { isLoopback } from './loopback.ts'
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

/**
 * Why the site may not start in open mode with these settings, in a sentence that says what to do; undefined when it
 * may. Everyone who reaches the site can administer it, so it has to be reachable from this computer only, or be meant
 * to be open.
 */
export function openModeRefusal({ host, publicUrl, openToNetwork }: Config): string | undefined {
  if (openToNetwork) return undefined
  const exposed = isLoopback(host) ? exposedPublicUrl(publicUrl) : `HOST=${host}`
  if (exposed === undefined) return undefined
  return (
    `${exposed} can be reached from other machines, and no admin password is set. Set one with \`${rsvpCommand} password\`,\n` +
    'or set RSVP_ACCESS=open if everyone who can reach this address may administer the site.'
  )
}

function exposedPublicUrl(publicUrl: string | undefined): string | undefined {
  if (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname)) return undefined
  return `PUBLIC_URL=${publicUrl}`
}
