import { lookup } from 'node:dns/promises'
import { readFile, rm, rmdir } from 'node:fs/promises'
import { isIP, isIPv6 } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { checkSettings } from '#db/config/config.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { type Layout, program } from './site.ts'
import { makeSharedFolder, outputOf, type Step, writeSharedFile } from './system.ts'

/**
 * What a site may do and use: it can write only to its data, its backups and a cache. Memory may be both written and
 * run, because V8 compiles to it.
 */
const HARDENING = `User=rsvp-%i
Group=rsvp-%i
WorkingDirectory=/var/lib/rsvp/%i
UMask=0077
StateDirectory=rsvp/%i
StateDirectoryMode=0700
CacheDirectory=rsvp/%i
CacheDirectoryMode=0700
Environment=NODE_COMPILE_CACHE=/var/cache/rsvp/%i
ReadWritePaths=/var/backups/rsvp/%i
MemoryHigh=384M
MemoryMax=512M
TasksMax=128
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
ProtectSystem=strict
ProtectHome=yes
ProtectProc=invisible
ProtectClock=yes
ProtectHostname=yes
ProtectControlGroups=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
PrivateTmp=yes
PrivateDevices=yes
PrivateUsers=yes
RemoveIPC=yes
LockPersonality=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM
`

/**
 * Every unit of a site by its file name; `%i` is the name of the site. The socket stays open while the site restarts,
 * and closes when it is stopped. Its address is in a separate file, because a template cannot read settings.
 */
export const units: Record<string, string> = {
  'rsvp@.socket': `[Unit]
Description=Where RSVP site %i listens
StopPropagatedFrom=rsvp@%i.service

[Socket]
NoDelay=yes
`,
  'rsvp@.service': `[Unit]
Description=RSVP site %i
Wants=network-online.target
Requires=rsvp@%i.socket
After=network-online.target rsvp@%i.socket

[Service]
Type=notify
NotifyAccess=all
ExecStart=/opt/rsvp/current/cli/rsvp --site %i serve
Restart=on-failure
RestartSec=2
RestartPreventExitStatus=78
TimeoutStartSec=5min
TimeoutStopSec=15
WatchdogSec=1min
${HARDENING}
[Install]
WantedBy=multi-user.target
`,
  'rsvp-backup@.service': `[Unit]
Description=Backup of RSVP site %i, unless it has made one itself

[Service]
Type=oneshot
ExecStart=/opt/rsvp/current/cli/rsvp --site %i backup --quiet
TimeoutStartSec=1h
${HARDENING}`,
  'rsvp-backup@.timer': `[Unit]
Description=Nightly backup of RSVP site %i

[Timer]
OnCalendar=*-*-* 03:30
RandomizedDelaySec=15min
Persistent=yes

[Install]
WantedBy=timers.target
`,
}

/** A file of systemd that depends on the settings of a site. `text` is undefined if there must be no file. */
type SiteFile = { path: string; text: string | undefined; stops: string[] }

/** Steps that pass the settings of a site to systemd. */
export async function siteFileSteps(layout: Layout, values: NodeJS.Dict<string>): Promise<Step[]> {
  const steps: Step[] = []
  for (const { path, text, stops } of await siteFiles(layout, values)) {
    if ((await readFile(path, 'utf8').catch(() => undefined)) === text) continue
    const work = async () => {
      // Stopped first: if it is interrupted after this, the whole step is repeated the next time.
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
  const { HOST, PORT, BACKUP_DIR } = checkSettings(values)
  const folders = [...(BACKUP_DIR ? [resolve(data, BACKUP_DIR)] : [])]
  const writable = folders
    .filter((folder) => ![data, backups].some((own) => folder === own || folder.startsWith(`${own}/`)))
    .map((folder) => `ReadWritePaths="-${folder.replaceAll('%', '%%')}"\n`)
  const text = writable.length === 0 ? undefined : `[Service]\n${writable.join('')}`
  const at = (unit: string, file: string) => join(program.units, `${unit}.d`, file)
  return [
    // A socket changes its address only after it was closed.
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
  // Fails if an administrator has put other files there, which stay.
  await rmdir(dirname(path)).catch(() => undefined)
}
