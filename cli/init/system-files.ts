import { userInfo } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from '#db/config/project-root.ts'
import { quoteForShell } from '#db/process/shell.ts'

export type SystemFile = 'systemd' | 'crontab' | 'caddy'

const command = join(projectRoot, 'cli', 'rsvp')

/** A file for this machine, with the paths and the address of this installation. */
export function systemFile(
  kind: SystemFile,
  { publicUrl, port }: { publicUrl: string | undefined; port: number },
): string {
  switch (kind) {
    case 'systemd':
      return systemd()
    case 'crontab':
      return crontab()
    case 'caddy':
      return caddy(publicUrl, port)
  }
}

/**
 * systemd allows no quotes in the name of a program, but any in the shell's command. With less than 2 s between
 * restarts it would give up after five.
 */
function systemd(): string {
  return `[Unit]
Description=RSVP site
Wants=network-online.target
After=network-online.target

[Service]
User=${userInfo().username}
WorkingDirectory=${projectRoot.replaceAll('%', '%%')}
ExecStart=/bin/sh ${quotedForSystemd(command)} serve
Restart=on-failure
RestartSec=2
RestartPreventExitStatus=78
TimeoutStopSec=15
NoNewPrivileges=true
PrivateTmp=true
ProtectSystem=full

[Install]
WantedBy=multi-user.target
`
}

/** Cron takes a percent sign for the end of the line. */
function crontab(): string {
  const call = quoteForShell(command).replaceAll('%', '\\%')
  return `# Every night at half past two; first make the folder: install -d -m 700 /backups
30 2 * * * ${call} backup --out /backups/ --keep 14
# And the list for a spreadsheet:
40 2 * * * ${call} export --out /backups/
`
}

function caddy(publicUrl: string | undefined, port: number): string {
  const site = publicUrl === undefined ? 'rsvp.example.org' : publicUrl.replace(/^https:\/\//, '')
  return `${site} {
	reverse_proxy 127.0.0.1:${port}
}
`
}

function quotedForSystemd(path: string): string {
  const escaped = path.replaceAll('%', '%%').replaceAll('\\', '\\\\').replaceAll('"', '\\"')
  return `"${escaped}"`
}
