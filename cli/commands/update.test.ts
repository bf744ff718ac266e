import { spawn } from 'node:child_process'
import { existsSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTerminal } from '../installation-fixtures.ts'
import { runningSystem } from '../running-service-fixtures.ts'

type Running = Awaited<ReturnType<typeof runningSystem>>

/** On a connection of its own, which no restart closes. */
const get = (address: string) => fetch(address, { headers: { connection: 'close' } })

const linked = ({ root }: Running, link: string) => readlinkSync(join(root, 'opt/rsvp', link))

describe.runIf(process.getuid?.() === 0)('rsvp update and rollback', () => {
  let running: Running
  beforeAll(async () => {
    running = await runningSystem('update')
  })
  afterAll(() => running.stop())

  it('says first what it will do', () => {
    const { rsvp, make, releases } = running
    const first = expect.stringContaining('No release was in use before this one.')
    expect(rsvp('rollback --yes')).toMatchObject({ code: 3, stderr: first })
    make('1.1.0')
    const { code, stdout } = rsvp('update v1.1.0 --unsigned --dry-run')
    expect({ code, plan: stdout.trim().split('\n') }).toEqual({
      code: 0,
      plan: [
        '1. Install 1.1.0 beside 1.0.0, from /home/v1.1.0.',
        '2. Back up main.',
        '3. Start 1.1.0 once on a copy of the database of main.',
        '4. Put 1.1.0 into use, and go back to 1.0.0 if it fails.',
        '5. Remove the releases that are no longer needed.',
      ],
    })
    expect([releases(), linked(running, 'current')]).toEqual([['1.0.0'], 'releases/1.0.0'])
  })

  it('asks at the terminal before it runs what no signature proves', async () => {
    const { rsvp, home, root, has, releases, env } = running
    const unasked = expect.stringContaining('No terminal to confirm on: --unsigned asks there')
    expect(rsvp('update v1.1.0 --unsigned --yes')).toMatchObject({ code: 2, stderr: unasked })
    const variables = `RSVP_SYSTEM_ROOT=${root} SYSTEM=${root} PATH='${env.PATH}'`
    const line = `cd ${home}; ${variables} ${root}/usr/local/bin/rsvp update v1.1.0 --unsigned --yes`
    const { enter, ended, screen } = inTerminal('sh', '-c', line)
    await enter('Type 1.1.0 to run it:', 'yes')
    expect([await ended, screen()]).toEqual([1, expect.stringContaining('Nothing was changed.')])
    expect([has('opt/rsvp/incoming'), releases()]).toEqual([false, ['1.0.0']])
  })

  it('puts the newest archive of the folder into use, and keeps what was sent and what open pages need', async () => {
    const { rsvp, rsvpOf, make, send, releases, url, root, home, has } = running
    await send('ana')
    const own = join(root, 'opt/rsvp/releases/1.0.0/builds/packed/client/assets')
    writeFileSync(join(own, 'of-that-release.css'), '')
    rmSync(join(home, 'v1.1.0'), { recursive: true })
    make('1.1.0', 'additive')
    const archive = running.pack('1.1.0')
    running.sign(archive)
    make('1.0.5')
    // Whoever may write into the folder could have put it there.
    make('9.9.9')
    const { code, stderr } = rsvp('update --yes')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '1.1.0 is in use. `rsvp rollback` goes back to 1.0.0.\n' })
    expect([releases(), linked(running, 'current'), linked(running, 'previous')]).toEqual([
      ['1.0.0', '1.1.0'],
      'releases/1.1.0',
      'releases/1.0.0',
    ])
    expect(JSON.parse(rsvp('service list --json').stdout)).toMatchObject([{ state: 'active', version: '1.1.0' }])
    expect((await get(`${url}/assets/of-that-release.css`)).status).toBe(200)
    expect([has('opt/rsvp/unproved'), has('opt/rsvp/trial/main')]).toEqual([false, false])

    expect(rsvp(`update ${archive} --yes`)).toMatchObject({ code: 0, stderr: '1.1.0 is in use already.\n' })
    const older = expect.stringContaining('1.0.5 is older than 1.1.0, which is in use. `rsvp rollback` goes back')
    expect(rsvpOf('1.0.5', 'update --yes')).toMatchObject({ code: 2, stderr: older })
    const planned = expect.stringContaining('Put 1.0.5 into use, and go back to 1.1.0 if it fails.')
    expect(rsvpOf('1.0.5', 'update --to 1.0.5 --dry-run')).toMatchObject({ code: 0, stdout: planned })
  })

  it('is taken back with what was stored since, where it has only added to the tables', async () => {
    const { rsvp, send, root, has } = running
    await send('ben')
    // As a kill leaves it that comes before the site has been seen working.
    symlinkSync('releases/1.0.0', join(root, 'opt/rsvp/unproved'))
    expect(rsvp('rollback --yes')).toMatchObject({ code: 0, stderr: '1.0.0 is in use again.\n' })
    expect([linked(running, 'current'), has('opt/rsvp/unproved')]).toEqual(['releases/1.0.0', false])
    await send('cleo')
    expect(JSON.parse(rsvp('list --json').stdout)).toMatchObject([{ name: 'cleo' }, { name: 'ben' }, { name: 'ana' }])
  })

  it.each([
    ['does not start', 'This is a bug in rsvp \\(Error\\)'],
    ['loses responses', 'it finds 0 responses instead of 3'],
    ['has no styles', '/assets/\\S+css replies 404'],
  ])('puts nothing into use that %s', async (kind, reason) => {
    const { rsvpOf, make, has, releases, url, home } = running
    make('1.3.0', kind)
    const before = [releases(), linked(running, 'current'), linked(running, 'previous')]
    const { code, stderr } = rsvpOf('1.3.0', 'update --yes')
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        new RegExp(`^1.3.0 does not work with a copy of the database of main: .*${reason}.*nothing was changed\\.\\n$`),
      ),
    })
    expect([releases(), linked(running, 'current'), linked(running, 'previous')]).toEqual(before)
    expect([has('opt/rsvp/trial/main'), (await get(`${url}/api/health`)).status]).toEqual([false, 200])
    rmSync(join(home, 'v1.3.0'), { recursive: true })
  })

  it('goes back by itself where the site is not well, and a second one waits', async () => {
    const { rsvp, rsvpOf, make, home, has } = running
    make('1.4.0', 'ends after its start')
    const env = { ...running.env }
    const first = spawn(join(home, 'v1.4.0/cli/rsvp'), ['update', '--yes'], { cwd: home, env })
    let said = ''
    first.stderr.setEncoding('utf8').on('data', (text) => (said += text))
    const ended = new Promise((resolve) => first.once('close', resolve))
    await new Promise((resolve) => first.stdout.once('data', resolve))
    expect(rsvpOf('1.4.0', 'update --yes')).toMatchObject({
      code: 1,
      stderr: 'Another update is running here. Wait until it has ended.\n',
    })
    expect(await ended).toBe(1)
    expect(said).toMatch(
      /^1\.4\.0 failed at main: .+\. 1\.0\.0 is in use again, with all that was stored meanwhile\.\n$/,
    )
    expect([linked(running, 'current'), has('opt/rsvp/unproved')]).toEqual(['releases/1.0.0', false])
    expect(JSON.parse(rsvp('service list --json').stdout)).toMatchObject([{ state: 'active', version: '1.0.0' }])
  })

  it('brings back the database with --restore where it has changed them, and adds what came since', async () => {
    const { rsvp, rsvpOf, make, send, root } = running
    make('1.7.0', 'breaking')
    expect(rsvpOf('1.7.0', 'update --yes --quiet')).toMatchObject({ code: 0, stderr: '' })
    await send('dan')
    expect(rsvp('rollback --yes')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^The update has changed the tables of main, and 1\.0\.0 cannot use them\. `rsvp rollback --restore`/,
      ),
    })
    expect(linked(running, 'current')).toBe('releases/1.7.0')
    expect(rsvp('rollback --restore --yes')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^1\.0\.0 is in use again\.\nWhat was deleted or erased since the update is back/),
    })
    const names = JSON.parse(rsvp('list --json').stdout).map(({ name }: { name: string }) => name)
    expect(names.sort()).toEqual(['ana', 'ben', 'cleo', 'dan'])
    expect(existsSync(join(root, 'opt/rsvp/trial/main'))).toBe(false)
  })
})
