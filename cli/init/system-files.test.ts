import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '#db/config/places.ts'
import { installation } from '../installation-fixtures.ts'
import { systemFile } from './system-files.ts'

const settings = {
  publicUrl: 'https://rsvp.example.org',
  port: 4321,
  databaseUrl: `file:${join(projectRoot, 'data', 'rsvp.db')}`,
  backupFolder: undefined,
}
const page = readFileSync(join(projectRoot, 'docs', 'operating.md'), 'utf8')
const blocks = Array.from(page.matchAll(/^```\w+\n(.*?)^```$/gms), ([, block = '']) => block)

describe('docs/operating.md', () => {
  it('shows the Caddyfile that rsvp init prints', () => {
    expect(blocks).toContain(systemFile('caddy', settings))
  })
})

/** Runs the lines of a crontab: with next to nothing in the environment, and from another folder. */
function runLikeCron(crontab: string, backups = '/backups') {
  const lines = Array.from(crontab.matchAll(/^\d0 2 \* \* \* (.+)$/gm), ([, command = '']) => command)
  return lines.map((command) => {
    // Cron ends the command at a percent sign without a backslash (crontab(5)).
    const [unescaped = ''] = command.split(/(?<!\\)%/)
    const shell = unescaped.replaceAll('\\%', '%').replace('/backups/', `'${backups.replaceAll("'", "'\\''")}/'`)
    const env = { SHELL: '/bin/sh', PATH: '/usr/bin:/bin', LOGNAME: 'rsvp' }
    return spawnSync('/bin/sh', ['-c', shell], { cwd: '/', env, encoding: 'utf8' })
  })
}

describe('rsvp init --print', () => {
  /** Blanks and percent signs mean something to systemd and to cron. */
  const name = 'St. Mary 100% rsvp'

  it('prints a unit that starts the site of this folder', async () => {
    const { rsvp, place, expectUntouched } = installation(`${name} unit`)
    const { code, stdout, stderr } = await rsvp('init', '--print', 'systemd')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const escaped = place.replaceAll('%', '%%')
    const database = `Environment="DATABASE_URL=file:${escaped}/data/rsvp.db"`
    expect(stdout).toContain(
      `\nWorkingDirectory=${escaped}\n${database}\nExecStart=/bin/sh "${escaped}/cli/rsvp" serve\n`,
    )
    expect(stdout).toContain(`\nUser=${userInfo().username}\n`)
    expect(stdout).toMatch(/^(?!.*SuccessExitStatus).*\nRestart=on-failure\nRestartSec=2\nRestartPreventExit.+=78\n/s)
    expectUntouched()
  })

  it('prints lines that cron runs', async () => {
    const { rsvp, place } = installation(`${name} cron`)
    const before = await rsvp('init', '--print', 'crontab')
    expect(before.stdout).toMatch(/^#.+install -d -m 700 \/backups\n/)
    const backups = join(place, 'my backups')
    mkdirSync(backups)
    await rsvp('init', '--yes', `--backup-dir=${backups}`)
    const { stdout } = await rsvp('init', '--print', 'crontab')
    expect(stdout).toContain(`# While the site runs, it puts a backup into ${backups} every night by itself.\n`)
    for (const ended of runLikeCron(stdout, backups)) expect(ended).toMatchObject({ status: 0, output: [null, '', ''] })
    expect(readdirSync(backups)).toEqual([expect.stringMatching(/^rsvps-\d{4}-\d{2}-\d{2}\.csv$/)])
  })

  it('prints a proxy for the address people use', async () => {
    const { rsvp, place, expectUntouched } = installation('caddy')
    const stdout = 'rsvp.example.org {\n\treverse_proxy 127.0.0.1:4321\n}\n'
    expect(await rsvp('init', '--print', 'caddy')).toEqual({ code: 0, stdout, stderr: '' })
    expectUntouched()
    writeFileSync(join(place, '.env'), 'PUBLIC_URL=https://parish.example.com\nPORT=8080\n')
    expect((await rsvp('init', '--print', 'caddy')).stdout).toBe(
      'parish.example.com {\n\treverse_proxy 127.0.0.1:8080\n}\n',
    )
    const other = await rsvp('init', '--print', 'caddy', '--public-url', 'https://rsvp.example.com')
    expect(other.stdout).toBe('rsvp.example.com {\n\treverse_proxy 127.0.0.1:8080\n}\n')
    writeFileSync(join(place, '.env'), 'PORT=abc\n')
    expect(await rsvp('init', '--print', 'caddy')).toMatchObject({ code: 78, stdout: '' })
  })
})
