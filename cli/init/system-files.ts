import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { Config } from '#db/config/config.ts'
import { fileOf, projectRoot, quoteForShell } from '#db/config/places.ts'

export type SystemFile = 'systemd' | 'crontab' | 'caddy'

type Settings = Pick<Config, 'publicUrl' | 'port' | 'databaseUrl' | 'backupFolder'>

/** A file for this machine. */
export function systemFile(kind: SystemFile, settings: Settings): string {
  switch (kind) {
    case 'systemd':
      return systemd(settings)
    case 'crontab':
      return crontab(settings)
    case 'caddy':
      return caddyfile(settings)
  }
}

const commandIn = (folder: string) => join(folder, 'cli', 'rsvp')

/**
 * systemd allows no quotes in a program's name, but does in the arguments of a shell. With less than 2 s between
 * restarts it would give up after five.
 */
function systemd({ databaseUrl }: Settings): string {
  const file = fileOf(databaseUrl)
  const database = file === undefined ? '' : `Environment=${quotedForSystemd(`DATABASE_URL=file:${file}`)}\n`
  return `[Unit]
Description=RSVP site
Wants=network-online.target
After=network-online.target

[Service]
User=${userInfo().username}
WorkingDirectory=${projectRoot.replaceAll('%', '%%')}
${database}ExecStart=/bin/sh ${quotedForSystemd(commandIn(projectRoot))} serve
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

function crontab({ databaseUrl, backupFolder }: Settings): string {
  const file = fileOf(databaseUrl)
  const call = quoteForShell(commandIn(projectRoot))
  const database = file === undefined ? '' : ` --db ${quoteForShell(file)}`
  const line = (time: string, words: string) => {
    const command = `cd ${quoteForShell(projectRoot)} && ${call} ${words}${database}`
    // Cron takes a percent sign for the end of the line.
    return `${time} * * * ${command.replaceAll('%', '\\%')}\n`
  }
  const folder = backupFolder === undefined ? '/backups/' : quoteForShell(`${backupFolder}/`)
  const list = `# The list for a spreadsheet:\n${line('40 2', `export --out ${folder} --keep 14`)}`
  if (backupFolder !== undefined) {
    return `# While the site runs, it puts a backup into ${backupFolder} every night by itself.\n${list}`
  }
  return `# Every night at half past two a backup; first make the folder: install -d -m 700 /backups
${line('30 2', 'backup --out /backups/ --keep 14')}${list}`
}

/** The lines of a Caddyfile for the proxy in front of the site. */
function caddyfile({ publicUrl, port }: Pick<Config, 'publicUrl' | 'port'>): string {
  const site = publicUrl === undefined ? 'rsvp.example.org' : publicUrl.replace(/^https:\/\//, '')
  return `${site} {
	reverse_proxy 127.0.0.1:${port}
}
`
}

function quotedForSystemd(text: string): string {
  const escaped = text.replaceAll('%', '%%').replaceAll('\\', '\\\\').replaceAll('"', '\\"')
  return `"${escaped}"`
}
