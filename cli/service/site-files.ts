import { lookup } from 'node:dns/promises'
import { readFile, rm, rmdir } from 'node:fs/promises'
import { isIP, isIPv6 } from 'node:net'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { checkSettings } from '#db/config/config.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { makeSharedFolder, writeSharedFile } from './files.ts'
import { type Layout, program } from './layout.ts'
import type { Step } from './step.ts'
import { outputOf } from './system.ts'

/** A file of systemd that follows from the settings of a site; undefined where there has to be none. */
type SiteFile = { path: string; text: string | undefined; stops: string[] }

/** What is to be done so that systemd knows the settings of a site, which a template of units cannot read. */
export async function siteFileSteps(layout: Layout, values: NodeJS.Dict<string>): Promise<Step[]> {
  const steps: Step[] = []
  for (const { path, text, stops } of await siteFiles(layout, values)) {
    if ((await readFile(path, 'utf8').catch(() => undefined)) === text) continue
    const work = async () => {
      // First: what is interrupted behind this is done again the next time.
      for (const unit of stops) await outputOf('systemctl', 'stop', unit)
      if (text === undefined) await removeSiteFile(path)
      else {
        await makeSharedFolder(dirname(path))
        await writeSharedFile(path, text)
      }
    }
    steps.push({ text: `${text === undefined ? 'Remove' : 'Write'} ${path}.`, work })
  }
  return steps
}

export async function removeSiteFiles(layout: Layout): Promise<void> {
  for (const { path } of await siteFiles(layout, {})) await removeSiteFile(path)
}

async function siteFiles({ name, data, backups, socket }: Layout, values: NodeJS.Dict<string>): Promise<SiteFile[]> {
  const { HOST, PORT, BACKUP_DIR, BACKUP_COPY_TO } = checkSettings(values)
  const folders = [
    BACKUP_DIR && resolve(data, BACKUP_DIR),
    BACKUP_COPY_TO && isAbsolute(BACKUP_COPY_TO) && BACKUP_COPY_TO,
  ]
  const elsewhere = folders.filter((folder): folder is string => Boolean(folder) && !isWithin(folder, [data, backups]))
  const writable = elsewhere.map((folder) => `ReadWritePaths="-${String(folder).replaceAll('%', '%%')}"\n`).join('')
  const text = writable === '' ? undefined : `[Service]\n${writable}`
  const at = (unit: string, file: string) => join(program.units, `${unit}.d`, file)
  return [
    // It listens somewhere else only once it was closed.
    { path: at(socket, 'address.conf'), text: await socketText(HOST, PORT), stops: [socket] },
    ...['rsvp', 'rsvp-backup'].map((unit) => ({
      path: at(`${unit}@${name}.service`, 'folders.conf'),
      text,
      stops: [],
    })),
  ]
}

/** Every address of the host, e.g. both of localhost. */
async function socketText(host: string, port: number): Promise<string> {
  const found = isIP(host) ? [{ address: host }] : await lookup(host, { all: true }).catch(() => [])
  if (found.length === 0)
    throw new CommandError(exitCodes.configuration, `HOST=${host} is no address of this computer.`)
  const addresses = new Set(found.map(({ address }) => (isIPv6(address) ? `[${address}]` : address)))
  const lines = Array.from(addresses, (address) => `ListenStream=${address}:${port}\n`)
  return `[Socket]\n${lines.join('')}`
}

async function removeSiteFile(path: string): Promise<void> {
  await rm(path, { force: true })
  // What an administrator has put there stays.
  await rmdir(dirname(path)).catch(() => undefined)
}

function isWithin(folder: unknown, places: string[]): boolean {
  return places.some((place) => folder === place || String(folder).startsWith(`${place}/`))
}
