import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { installation } from '../installation-fixtures.ts'

describe('rsvp init --print', () => {
  /** Blanks and percent signs mean something to systemd and to cron. */
  const name = 'St. Mary 100% rsvp'

  it('prints a unit that starts the site of this folder', async () => {
    const { rsvp, place, expectUntouched } = installation(`${name} unit`)
    const { code, stdout, stderr } = await rsvp('init', '--print', 'systemd')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const escaped = place.replaceAll('%', '%%')
    expect(stdout).toContain(`\nWorkingDirectory=${escaped}\nExecStart=/bin/sh "${escaped}/cli/rsvp" serve\n`)
    expect(stdout).toContain(`\nUser=${userInfo().username}\n`)
    expect(stdout).toMatch(/^(?!.*SuccessExitStatus).*\nRestart=on-failure\nRestartSec=2\nRestartPreventExit.+=78\n/s)
    expectUntouched()
  })

  it.for([name, "St Mary's"])('prints a unit that systemd accepts, in the folder %s', async (folderName, { skip }) => {
    const judge = 'systemd-analyze'
    skip(spawnSync(judge, ['--version']).error !== undefined, `${judge} is not installed here.`)
    const { rsvp, place } = installation(`${folderName} verify`)
    const unit = join(place, 'rsvp.service')
    writeFileSync(unit, (await rsvp('init', '--print', 'systemd')).stdout)
    const { status, stderr } = spawnSync(judge, ['verify', unit], { encoding: 'utf8' })
    expect([status, stderr.split('\n').filter((line) => line.includes('rsvp'))]).toEqual([0, []])
  })

  it.each([name, "St Mary's"])('prints lines that cron runs, in the folder %s', async (folderName) => {
    const { rsvp, place } = installation(`${folderName} cron`)
    await rsvp('init', '--yes')
    const { stdout } = await rsvp('init', '--print', 'crontab')
    expect(stdout).toMatch(/^#.+install -d -m 700 \/backups\n/)
    const backups = String(mkdirSync(join(place, 'backups'), { recursive: true }))
    for (const [, command = ''] of stdout.matchAll(/^\d0 2 \* \* \* (.+)$/gm)) {
      // Cron ends the command at a percent sign without a backslash (crontab(5)).
      const [unescaped = ''] = command.split(/(?<!\\)%/)
      const shell = unescaped.replaceAll('\\%', '%').replace('/backups/', `'${backups.replaceAll("'", "'\\''")}/'`)
      const cron = { SHELL: '/bin/sh', PATH: '/usr/bin:/bin', LOGNAME: 'rsvp' }
      const ended = spawnSync('/bin/sh', ['-c', shell], { cwd: '/', env: cron, encoding: 'utf8' })
      expect(ended).toMatchObject({ status: 0, output: [null, '', ''] })
    }
    expect(readdirSync(backups).sort()).toEqual([
      expect.stringMatching(/^rsvp-\d{4}-\d{2}-\d{2}T.+\.db$/),
      expect.stringMatching(/^rsvps-\d{4}-\d{2}-\d{2}\.csv$/),
    ])
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
