import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import { type Config, checkSettings, readConfig } from '#db/config/config.ts'
import { listSites, siteNamed } from '#db/config/places.ts'
import { errorCodeOf } from '#db/process/errors.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import type { Layout } from './layout.ts'

export type ServiceOptions = { publicUrl?: string; port?: string; timeZone?: string }

/**
 * The settings that are given. A site on the internet has a proxy in front of it, on the same machine.
 * @throws UserError 'configuration' that names every mistake.
 */
export function givenSettings({ publicUrl, port, timeZone }: ServiceOptions): Record<string, string> {
  const settings = {
    ...(port !== undefined && { PORT: port }),
    ...(publicUrl !== undefined && { PUBLIC_URL: publicUrl, TRUSTED_PROXIES: '127.0.0.1' }),
    ...(timeZone !== undefined && { TZ: timeZone }),
  }
  checkSettings(settings)
  return settings
}

/** The settings of a new site: those that are given, a port of its own, and where its backups go. */
export async function newSettings(options: ServiceOptions, { backups }: Layout): Promise<Record<string, string>> {
  const port = options.port ?? String(await freePort())
  return { ...givenSettings({ ...options, port }), BACKUP_DIR: backups }
}

/** The first port from the default on that no other site here has in its settings. */
async function freePort(): Promise<number> {
  const taken = new Set(await Promise.all(listSites().map(portOf)))
  let port = checkSettings({}).PORT
  while (taken.has(port)) port++
  return port
}

async function portOf(name: string): Promise<number> {
  const { PORT } = await readSettingsOf(name)
  return checkSettings({ PORT }).PORT
}

/** What stands in the settings of a site. */
export function readSettingsOf(name: string): Promise<NodeJS.Dict<string>> {
  return readSettings(siteNamed(name).envFile)
}

/** The same, checked, as the site itself reads it. @throws UserError 'configuration' that names every mistake. */
export async function configOf(name: string): Promise<Config> {
  return readConfig({ ...(await readSettingsOf(name)), RSVP_SITE: name })
}

/** @throws CommandError 'failed' where this account may not read them. */
export async function readSettings(file: string): Promise<NodeJS.Dict<string>> {
  const text = await readFile(file, 'utf8').catch((error) => {
    throw new CommandError(exitCodes.failed, `${file} cannot be read (${errorCodeOf(error)}): run the same with sudo.`)
  })
  return parseEnv(text)
}
