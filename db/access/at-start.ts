import { readFile } from 'node:fs/promises'
import type { Config } from '#db/config/config.ts'
import { rsvpCommand } from '#db/config/places.ts'
import { UserError } from '#db/errors.ts'
import { errorCodeOf } from '#db/process/errors.ts'
import { newPassword } from '#db/values/schemas.ts'
import { isLoopback } from './loopback.ts'

/**
 * The password that the settings give, if there is one: itself, or as the first line of a file.
 * @throws UserError 'configuration' when both are given, or when the file holds none.
 */
export async function givenPassword({ adminPassword, adminPasswordFile: file }: Config): Promise<string | undefined> {
  const refused = (reason: string) => new UserError('configuration', reason)
  if (file === undefined) return adminPassword
  if (adminPassword !== undefined) throw refused('Give ADMIN_PASSWORD or ADMIN_PASSWORD_FILE, not both.')
  const text = await readFile(file, 'utf8').catch((error) => {
    const reason = `cannot be read (${errorCodeOf(error)}). Check the path and who may read it.`
    throw refused(`The password in ${file} (ADMIN_PASSWORD_FILE) ${reason}`)
  })
  const password = firstLine(text)
  if (newPassword.safeParse(password).success) return password
  const reason = 'cannot be the password. Give 12 to 128 characters.'
  throw refused(`The first line of ${file} (ADMIN_PASSWORD_FILE) ${reason}`)
}

/** A password from a file or a pipe: its line break is not part of it. */
export function firstLine(text: string): string {
  return text.replace(/\r?\n.*/s, '')
}

/**
 * Why the site may not start in open mode with these settings, in a sentence that says what to do; undefined when it
 * may. Everyone who reaches the site can administer it, so it has to be reachable from this computer only, or be meant
 * to be open.
 */
export function openModeRefusal(config: Config): string | undefined {
  const exposed = exposedBy(config)
  if (config.openToNetwork || exposed === undefined) return undefined
  return (
    `${exposed} can be reached from other machines, and no admin password is set. Set one with \`${rsvpCommand} password\`,\n` +
    'or set RSVP_ACCESS=open if everyone who can reach this address may administer the site.'
  )
}

/** The setting by which other machines reach the site, e.g. `HOST=0.0.0.0`; undefined if they do not. */
export function exposedBy({ host, publicUrl }: Config): string | undefined {
  if (!isLoopback(host)) return `HOST=${host}`
  if (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname)) return undefined
  return `PUBLIC_URL=${publicUrl}`
}
