import { readFile, statfs } from 'node:fs/promises'
import * as z from 'zod/mini'
import { listBackups, momentOfBackup, newestOf } from '#db/backup/names.ts'
import { checkSettings } from '#db/config/config.ts'
import { layoutOf, program } from './layout.ts'
import { readSettingsOf } from './settings.ts'
import { outputOf } from './system.ts'

/** How a site that runs as a service is doing. Moments are ISO 8601 in UTC; what is not known is null. */
export type SiteState = {
  site: string
  /** As systemd says it, e.g. `active`, `failed`. */
  state: string
  since: string | null
  /** The version that is running, which an update may have replaced on the disk. */
  version: string | null
  address: string
  lastBackup: string | null
  nextBackup: string | null
  /** Space that is free for its data, in MB. */
  freeMb: number | null
  settings: string
  data: string
  backups: string
}

/** @throws UserError 'configuration' where the settings of the site are wrong. */
export async function stateOf(site: string, now: Date): Promise<SiteState> {
  const { data, settings, units } = layoutOf(site)
  const [unit = '', timer = ''] = units
  const { PUBLIC_URL, PORT, BACKUP_DIR: backups = '' } = checkSettings(await readSettingsOf(site))
  const last = newestOf(await listBackups(backups), now)
  const disk = await statfs(data).catch(() => undefined)
  return {
    site,
    state: (await property(unit, 'ActiveState')) || 'unknown',
    since: await moment(unit, 'ActiveEnterTimestamp'),
    version: (await runningProcess(unit)).version,
    address: PUBLIC_URL ?? `http://localhost:${PORT}`,
    lastBackup: last === undefined ? null : momentOfBackup(last).toISOString(),
    nextBackup: await nextRun(timer),
    freeMb: disk === undefined ? null : Math.floor((disk.bavail * disk.bsize) / 1024 / 1024),
    settings,
    data,
    backups,
  }
}

function property(unit: string, name: string, ...more: string[]): Promise<string> {
  return outputOf('systemctl', 'show', unit, `--property=${name}`, '--value', ...more)
}

/** In seconds since 1970, with an @ in front. */
async function moment(unit: string, name: string): Promise<string | null> {
  const seconds = /^@(\d+)$/.exec(await property(unit, name, '--timestamp=unix'))?.[1]
  return seconds === undefined ? null : new Date(Number(seconds) * 1000).toISOString()
}

/** In microseconds since 1970: of a timer, `show` knows local time only. */
async function nextRun(timer: string): Promise<string | null> {
  const listed = z.array(z.object({ next: z.number() }))
  const [found] = listed.parse(JSON.parse((await outputOf('systemctl', 'list-timers', '--output=json', timer)) || '[]'))
  return found === undefined ? null : new Date(found.next / 1000).toISOString()
}

/** The process of a unit, and the version of the release whose command it is. */
export async function runningProcess(unit: string): Promise<{ id: string; version: string | null }> {
  const id = await property(unit, 'MainPID')
  const [command = ''] = (await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')).split('\0')
  const inside = command.startsWith(`${program.releases}/`) ? command.slice(program.releases.length + 1) : ''
  return { id, version: inside.split('/')[0] || null }
}
