import { readFile, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import * as z from 'zod/mini'
import { listBackups, momentOfBackup, newestOf } from '#db/backup/names.ts'
import { type Config, checkSettings, readConfig } from '#db/config/config.ts'
import { listSites, severalSites, siteNamed, systemRoot } from '#db/config/places.ts'
import { errorCodeOf } from '#db/process/errors.ts'
import { failure, notFoundError, usageError } from '../exit-code.ts'
import { type Account, accountIds, outputOf } from './system.ts'

const at = (...parts: string[]) => join(systemRoot, ...parts)

/** Where the program of all sites is installed. */
export const program = {
  folder: at('opt', 'rsvp'),
  releases: at('opt', 'rsvp', 'releases'),
  /** A link to the release in use. */
  current: at('opt', 'rsvp', 'current'),
  /** A link to the release that was in use before. */
  previous: at('opt', 'rsvp', 'previous'),
  /** During an update, a link to the release to go back to, until the one in use has been seen working. */
  unproved: at('opt', 'rsvp', 'unproved'),
  /** Where a release is tried on a copy of a database; the account of a site cannot replace this folder. */
  trial: at('opt', 'rsvp', 'trial'),
  /** A link to its command. */
  command: at('usr', 'local', 'bin', 'rsvp'),
  units: at('etc', 'systemd', 'system'),
} as const

export type Layout = ReturnType<typeof layoutOf>

/** The name of the first site, if none is given. */
const DEFAULT_NAME = 'main'

export type ServiceOptions = { publicUrl?: string; port?: string; timeZone?: string }

/** The account, folders, settings and units of one site. */
export function layoutOf(name: string) {
  const { folder, envFile } = siteNamed(name)
  return {
    name,
    account: `rsvp-${name}`,
    data: folder,
    settings: envFile,
    /** Where the settings are while the site is uninstalled. */
    keptSettings: join(folder, 'settings.env'),
    /** The program as compiled by Node. */
    cache: at('var', 'cache', 'rsvp', name),
    backups: at('var', 'backups', 'rsvp', name),
    service: `rsvp@${name}.service`,
    timer: `rsvp-backup@${name}.timer`,
    socket: `rsvp@${name}.socket`,
  }
}

export function accountOf(site: string): Promise<Account> {
  return accountIds(layoutOf(site).account)
}

/**
 * The site that is named, or the only one.
 * @throws CommandError 'not found' if it does not run as a service, 'usage' if it could be several.
 */
export function findSiteName(variables: NodeJS.ProcessEnv): string {
  const sites = listSites()
  const name = nameToInstall(variables)
  if (sites.includes(name)) return name
  const there = sites.length === 0 ? 'No site runs as a service here.' : `The sites here are ${sites.join(', ')}.`
  throw notFoundError(`There is no service ${name}. ${there} \`rsvp service install\` makes one.`)
}

/**
 * The same, for a site that need not exist yet.
 * @throws CommandError 'usage' if it could be several.
 */
export function nameToInstall({ RSVP_SITE: named }: NodeJS.ProcessEnv): string {
  if (named) return named
  const sites = listSites()
  if (sites.length > 1) throw usageError(severalSites(sites))
  return sites[0] ?? DEFAULT_NAME
}

/**
 * A site with a public address is taken to have a proxy in front of it, on the same machine.
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

export function readSettingsOf(name: string): Promise<NodeJS.Dict<string>> {
  return readSettings(siteNamed(name).envFile)
}

/** Checked, as the site itself reads them. @throws UserError 'configuration' that names every mistake. */
export async function configOf(name: string): Promise<Config> {
  return readConfig({ ...(await readSettingsOf(name)), RSVP_SITE: name })
}

/** @throws CommandError 'failed' if this account may not read them. */
export async function readSettings(file: string): Promise<NodeJS.Dict<string>> {
  const text = await readFile(file, 'utf8').catch((error) => {
    throw failure(`${file} cannot be read (${errorCodeOf(error)}): run this with sudo.`)
  })
  return parseEnv(text)
}

/**
 * Moments are ISO 8601 in UTC; unknown values are null.
 * @throws UserError 'configuration' if the settings of the site are wrong.
 */
export async function stateOf(site: string, now: Date) {
  const { data, settings, service, timer } = layoutOf(site)
  const { PUBLIC_URL, PORT, BACKUP_DIR: backups = '' } = checkSettings(await readSettingsOf(site))
  const last = newestOf(await listBackups(backups), now)
  const disk = await statfs(data).catch(() => undefined)
  // In seconds since 1970, with an @ in front.
  const since = await property(service, 'ActiveEnterTimestamp', '--timestamp=unix')
  return {
    site,
    /** As systemd calls it, e.g. `active`, `failed`. */
    state: (await property(service, 'ActiveState')) || 'unknown',
    since: /^@\d+$/.test(since) ? new Date(Number(since.slice(1)) * 1000).toISOString() : null,
    /** Of the running process; an update may have replaced it on the disk. */
    version: (await runningProcess(site)).version,
    address: PUBLIC_URL ?? `http://localhost:${PORT}`,
    lastBackup: last === undefined ? null : momentOfBackup(last).toISOString(),
    nextBackup: await nextRun(timer),
    freeMb: disk === undefined ? null : Math.floor((disk.bavail * disk.bsize) / 1024 / 1024),
    settings,
    data,
    backups,
  }
}

/** The process of a site, and the version of the release that it runs. */
export async function runningProcess(site: string): Promise<{ id: string; version: string | null }> {
  const id = await property(layoutOf(site).service, 'MainPID')
  const [command = ''] = (await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')).split('\0')
  const inside = command.startsWith(`${program.releases}/`) ? command.slice(program.releases.length + 1) : ''
  return { id, version: inside.split('/')[0] || null }
}

/** The first port from the default on that no other site here has in its settings. */
async function freePort(): Promise<number> {
  const settings = await Promise.all(listSites().map(readSettingsOf))
  const taken = new Set(settings.map(({ PORT }) => checkSettings({ PORT }).PORT))
  let port = checkSettings({}).PORT
  while (taken.has(port)) port++
  return port
}

function property(unit: string, name: string, ...more: string[]): Promise<string> {
  return outputOf('systemctl', 'show', unit, `--property=${name}`, '--value', ...more)
}

/** From `list-timers`, in microseconds since 1970, because `show` has local time only. */
async function nextRun(timer: string): Promise<string | null> {
  const listed = z.array(z.object({ next: z.number() }))
  const [found] = listed.parse(JSON.parse((await outputOf('systemctl', 'list-timers', '--output=json', timer)) || '[]'))
  return found === undefined ? null : new Date(found.next / 1000).toISOString()
}
