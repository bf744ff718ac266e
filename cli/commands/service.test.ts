import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readlinkSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readProgramVersion } from '#db/config/places.ts'
import { runMain } from '../main-fixtures.ts'
import { units } from '../service/units.ts'
import { system } from '../service-fixtures.ts'

const version = readProgramVersion()
const isRoot = process.getuid?.() === 0

describe('rsvp service install', () => {
  it('says first what it will do, and nothing is done', async () => {
    const { rsvp, has, read } = system('plan')
    const { code, stdout, stderr } = await rsvp('service install --site grace --time-zone America/Chicago --dry-run')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.split('\n')).toEqual([
      `1. Copy this release to /opt/rsvp/releases/${version}.`,
      '2. Point /opt/rsvp/current there.',
      '3. Create the command /usr/local/bin/rsvp.',
      '4. Create the account rsvp-grace, which cannot sign in.',
      '5. Give rsvp-grace the folder /var/lib/rsvp/grace for the data.',
      '6. Give rsvp-grace the folder /var/backups/rsvp/grace for its backups.',
      '7. Set PORT=4321, TZ=America/Chicago, BACKUP_DIR=/var/backups/rsvp/grace in /etc/rsvp/grace.env.',
      '8. Write /etc/systemd/system/rsvp@.socket.',
      '9. Write /etc/systemd/system/rsvp@.service.',
      '10. Write /etc/systemd/system/rsvp-backup@.service.',
      '11. Write /etc/systemd/system/rsvp-backup@.timer.',
      '12. Write /etc/systemd/system/rsvp@grace.socket.d/address.conf.',
      '13. Start rsvp@grace, now and whenever the system starts, and back it up every night.',
      '',
    ])
    expect(['opt', 'var', 'etc/rsvp'].filter(has)).toEqual([])
    expect(read('accounts') + read('calls')).toBe('')
  })

  it.runIf(isRoot)('does it, for one site after the other, and leaves alone what is there', async () => {
    const { root, release, rsvp, has, read } = system('several')
    // Whoever has tried the release in its folder has data there, which is not part of the program.
    mkdirSync(join(release, 'data'))
    writeFileSync(join(release, '.env'), 'PORT=1\n')
    expect(await rsvp('service install --yes')).toMatchObject({
      code: 0,
      stderr: 'The site main is running at http://localhost:4321.\n',
    })
    const place = join(root, 'opt/rsvp/releases', version)
    expect(['data', '.env'].filter((name) => has(join('opt/rsvp/releases', version, name)))).toEqual([])
    expect([readlinkSync(join(root, 'opt/rsvp/current')), statSync(place).mode & 0o777]).toEqual([
      `releases/${version}`,
      0o755,
    ])
    expect(spawnSync(join(root, 'usr/local/bin/rsvp'), ['--version'], { encoding: 'utf8' }).stdout).toBe(`${version}\n`)
    expect(statSync(join(root, 'var/lib/rsvp/main')).mode & 0o777).toBe(0o700)
    expect(statSync(join(root, 'etc/rsvp/main.env')).mode & 0o777).toBe(0o640)
    expect(read('calls').split('\n')).toEqual([
      'stop rsvp@main.socket',
      'daemon-reload',
      'enable --quiet rsvp@main.service rsvp-backup@main.timer',
      // Nothing listens yet, or a site that has to leave the port to the socket.
      'stop rsvp@main.service rsvp-backup@main.timer',
      'reset-failed rsvp@main.socket rsvp@main.service rsvp-backup@main.timer',
      'restart rsvp@main.service rsvp-backup@main.timer',
      '',
    ])

    const installed = await rsvp(
      '--site grace service install --yes --public-url https://grace.example.org',
      'three quiet otters\n',
    )
    expect(installed).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\ngrace.example.org \{\n\treverse_proxy 127.0.0.1:4322\n\}\n$/),
    })
    expect(read('etc/rsvp/grace.env')).toBe(
      'PORT=4322\nPUBLIC_URL=https://grace.example.org\nTRUSTED_PROXIES=127.0.0.1\nBACKUP_DIR=/var/backups/rsvp/grace\n',
    )
    expect(installed.stdout).not.toContain('Copy')
    expect((await rsvp('--site grace sessions')).code).toBe(0)
    expect(await rsvp('list')).toMatchObject({
      code: 78,
      stderr: 'There are several sites here, grace, main: say which with --site NAME.\n',
    })
    expect(await rsvp('list --site hope')).toMatchObject({
      code: 78,
      stderr: expect.stringContaining(
        'There is no site hope: /etc/rsvp/hope.env is missing. Those here are grace, main;',
      ),
    })

    // The database of a site is where its settings say, and the password was stored in it.
    expect([has('var/lib/rsvp/grace/data/rsvp.db'), has('home/data')]).toEqual([true, false])
    expect(await rsvp('service install --yes')).toMatchObject({ code: 2, stderr: expect.stringContaining('several') })
    writeFileSync(join(root, 'calls'), '')
    await rsvp('--site grace service install --yes')
    expect(read('calls')).not.toContain('stop')
    const again = await rsvp('--site grace service install --yes --port 5000')
    expect(again.stdout.split('\n').slice(0, 3)).toEqual([
      'done  Set PORT=5000 in /etc/rsvp/grace.env.',
      'done  Write /etc/systemd/system/rsvp@grace.socket.d/address.conf.',
      'done  Start rsvp@grace, now and whenever the system starts, and back it up every night.',
    ])
    expect([read('etc/systemd/system/rsvp@grace.socket.d/address.conf'), read('calls')]).toEqual([
      '[Socket]\nListenStream=127.0.0.1:5000\n',
      expect.stringContaining('stop rsvp@grace.socket\n'),
    ])
    appendFileSync(join(root, 'etc/rsvp/grace.env'), 'BACKUP_DIR=/mnt/grace\nBACKUP_COPY_TO=/mnt/copies\n')
    const folders = 'etc/systemd/system/rsvp@grace.service.d/folders.conf'
    expect((await rsvp('--site grace service install --yes')).stdout).toContain(`done  Write /${folders}.`)
    expect(read(folders)).toBe('[Service]\nReadWritePaths="-/mnt/grace"\nReadWritePaths="-/mnt/copies"\n')
    writeFileSync(join(root, 'etc/rsvp/grace.env'), 'PORT=5000\nPUBLIC_URL=https://grace.example.org\n')
    expect((await rsvp('--site grace service install --yes')).stdout).toContain(`done  Remove /${folders}.`)
    expect(has(folders)).toBe(false)
    expect(read('etc/rsvp/grace.env')).toContain('PORT=5000\nPUBLIC_URL=https://grace.example.org\n')
  })

  it('refuses a checkout, a wrong setting and a wrong name, in sentences', async () => {
    const { rsvp } = system('refused')
    expect(await runMain(['service', 'install', '--dry-run'], {})).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('A service runs from a release with its own Node, and this is none.'),
    })
    expect(await rsvp('service install --dry-run --public-url grace.example.org')).toMatchObject({
      code: 78,
      stderr: expect.stringContaining('PUBLIC_URL'),
    })
    expect(await rsvp('service install --dry-run --site ../grace')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Give 2 to 24 small letters, digits and hyphens, e.g. grace.'),
    })
    expect(await rsvp('service install')).toMatchObject(
      isRoot
        ? { code: 2, stderr: expect.stringContaining('No terminal to confirm on: add --yes') }
        : { code: 1, stderr: expect.stringContaining('sudo') },
    )
  })
})

describe.runIf(isRoot)('rsvp service list', () => {
  it('shows several sites at a glance, fails where one does not run, and the doctor examines them one by one', async () => {
    const { root, rsvp } = system('glance')
    const none = 'No site runs as a service here. `rsvp service install` makes one.\n'
    expect(await rsvp('service list')).toMatchObject({ code: 0, stdout: '', stderr: none })
    expect(await rsvp('service list --site main')).toMatchObject({
      code: 3,
      stderr: `There is no service main. ${none}`,
    })
    for (const site of ['hope', 'grace']) {
      await rsvp(`--site ${site} service install --yes`)
      await rsvp(`--site ${site} init --yes`)
    }
    await rsvp('--site grace backup')
    const [grace = '', hope] = (await rsvp('service list')).stdout.split('\n')
    const moment = '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z'
    expect(grace).toMatch(new RegExp(`^grace\tactive\t\thttp://localhost:4322\t${moment}\t${moment}\t\\d+$`))
    expect(hope).toMatch(/^hope\tactive\t\thttp:\/\/localhost:4321\t\t/)
    expect(JSON.parse((await rsvp('service list --json --site hope')).stdout)).toEqual([
      {
        site: 'hope',
        state: 'active',
        since: '2025-11-24T16:00:00.000Z',
        version: null,
        address: 'http://localhost:4321',
        lastBackup: null,
        nextBackup: '2025-11-24T16:00:00.000Z',
        freeMb: expect.any(Number),
        settings: '/etc/rsvp/hope.env',
        data: '/var/lib/rsvp/hope',
        backups: '/var/backups/rsvp/hope',
      },
    ])

    const examined = await rsvp('doctor --all --json')
    expect(examined.code).toBe(1)
    const found: { site: string; findings: { name: string; ok: boolean }[] }[] = JSON.parse(examined.stdout)
    expect(found.map(({ site }) => site)).toEqual(['grace', 'hope'])
    // No site really runs here.
    for (const { findings } of found) {
      expect(findings.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(['Address'])
    }

    writeFileSync(
      join(root, 'var/lib/rsvp/hope/data/rsvp.db'),
      'no database at all, but long enough to be one'.repeat(9),
    )
    expect((await rsvp('doctor --all --quiet')).stdout).toMatch(
      /^grace\twrong\tAddress\t.+\nhope\twrong\tDatabase\t.+\n/,
    )
    writeFileSync(join(root, 'state'), 'failed\n')
    expect(await rsvp('service list')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^rsvp@grace\.service is failed: .+\nrsvp@hope\.service is failed: .+ says why\.\n$/,
      ),
    })
  })
})

describe.runIf(isRoot)('rsvp service uninstall', () => {
  it('undoes it all but for what people sent, which a later installation takes up again', async () => {
    const { rsvp, has, read } = system('undone')
    await rsvp('service install --yes --port 5000')
    expect(await rsvp('service install --yes --site grace')).toMatchObject({ code: 0 })
    await rsvp('init --yes --site main')
    await rsvp('add --site main --name Ana')
    expect(await rsvp('service uninstall --yes')).toMatchObject({ code: 2, stderr: expect.stringContaining('several') })
    expect((await rsvp('service uninstall --yes --site grace')).code).toBe(0)
    expect([read('accounts'), has('etc/systemd/system/rsvp@.service'), has('opt/rsvp/current')]).toEqual([
      'rsvp-main\n',
      true,
      true,
    ])
    expect(await rsvp('service uninstall --yes')).toMatchObject({
      code: 0,
      stderr: 'The data is kept in /var/lib/rsvp/main, and its backups in /var/backups/rsvp/main.\n',
    })
    expect(read('calls')).toContain('disable --now --quiet rsvp@main.service rsvp-backup@main.timer\n')
    expect(has('etc/systemd/system/rsvp@main.socket.d')).toBe(false)
    for (const gone of ['etc/rsvp', 'opt/rsvp', 'usr/local/bin/rsvp', 'etc/systemd/system/rsvp@.service'])
      expect(has(gone), gone).toBe(false)
    expect([read('accounts'), read('var/lib/rsvp/main/settings.env')]).toEqual([
      '',
      expect.stringContaining('PORT=5000\n'),
    ])

    expect((await rsvp('service install --yes')).stdout).toContain('done  Reuse the previous settings')
    expect([read('etc/rsvp/main.env'), (await rsvp('list')).stdout]).toEqual([
      expect.stringContaining('PORT=5000\n'),
      expect.stringContaining('Ana'),
    ])
  })
})

describe('the units', () => {
  const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0

  it.runIf(hasAnalyze)('are understood by systemd, and let a site do little', () => {
    const { root } = system('units')
    const folder = join(root, 'etc/systemd/system')
    for (const [name, text] of Object.entries(units)) {
      // A socket needs an address, which is in a file of each site.
      const listening = text.replace('[Socket]', '[Socket]\nListenStream=127.0.0.1:4321')
      writeFileSync(join(folder, name), listening.replaceAll('/opt/rsvp/current/cli/rsvp', '/bin/true'))
    }
    const analyze = (...words: string[]) => {
      const { stdout, stderr } = spawnSync('systemd-analyze', words, { cwd: folder, encoding: 'utf8' })
      return stdout + stderr
    }
    expect(
      analyze('verify', '--man=no', ...Object.keys(units).map((name) => `./${name.replace('@', '@grace')}`)),
    ).not.toMatch(/rsvp.*(Unknown|Failed|Invalid)/)
    const exposure = /exposure level for \S+: ([\d.]+)/.exec(
      analyze('security', '--offline=true', './rsvp@.service'),
    )?.[1]
    expect(Number(exposure)).toBeLessThan(3)
    expect(Number(exposure)).toBeGreaterThan(0)
  })
})
