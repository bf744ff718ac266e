import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readProgramVersion } from '#db/config/places.ts'
import { runningCheckout } from '../checkout-fixtures.ts'
import { send } from '../running-service-fixtures.ts'

type Running = Awaited<ReturnType<typeof runningCheckout>>

const isRoot = process.getuid?.() === 0

/** What an update may change. */
const state = ({ git, runningVersion, site }: Running) => ({
  commit: git('describe', '--tags', '--always'),
  version: runningVersion(),
  refs: git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/rsvp'),
  trial: existsSync(join(site, 'data/trial')),
})

describe.runIf(isRoot)('rsvp update in a checkout', () => {
  let running: Running
  beforeAll(async () => {
    running = await runningCheckout()
  })
  afterAll(() => running.stop())

  it('says that nothing is newer, and what it cannot find', () => {
    const { rsvp, hideRemote, showRemote } = running
    const before = state(running)
    expect(rsvp('update --yes')).toMatchObject({ code: 0, stderr: '0.2.0 is in use already.\n' })
    expect(rsvp('update --to 7.0.0 --yes')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^There is no version 7\.0\.0\. /),
    })
    expect(rsvp('rollback --yes')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^No version was in use before /),
    })
    hideRemote()
    expect(rsvp('update --yes')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Nothing can be fetched from origin: .+ Check the network .+--to takes a version/),
    })
    expect(rsvp('update --to v0.2.0')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/What is here already is taken\.\n0\.2\.0 is in use already\.\n$/),
    })
    showRemote()
    expect(state(running)).toEqual(before)
  })

  it('says first what it will do', () => {
    const { rsvp, publish } = running
    publish('0.3.0')
    const before = state(running)
    const { code, stdout } = rsvp('update --dry-run')
    expect({ code, plan: stdout.trim().split('\n') }).toEqual({
      code: 0,
      plan: [
        '1. Back up the database into /site/data/backups.',
        '2. Check out 0.3.0, and build it beside what is in use.',
        '3. Start 0.3.0 once on a copy of the database.',
        '4. Restart the service rsvp, and go back to 0.2.0 where it is not well.',
      ],
    })
    expect(state(running)).toEqual(before)
    expect(existsSync(join(running.site, 'data/backups'))).toBe(false)
  })

  it('keeps changes of your own, and says where they are', () => {
    const { rsvp, site } = running
    const file = join(site, 'cli/rsvp')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, `${text}# of our own\n`)
    expect(rsvp('update --yes')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^There are changes of your own in \/site: cli\/rsvp\. Put them away with `git stash`/,
      ),
    })
    expect(readFileSync(file, 'utf8')).toContain('of our own')
    writeFileSync(file, text)
  })

  it('puts the newest version into use under the running site, and keeps what was sent', async () => {
    const { rsvp, url, git, site } = running
    await send(url, 'ana')
    // The previous update was killed here: the copy is personal data.
    mkdirSync(join(site, 'data/trial'))
    const { code, stdout, stderr } = rsvp('update --yes')
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'Building the site…\n0.3.0 is in use. `npx rsvp rollback` goes back to 0.2.0.\n',
    })
    expect(stdout.match(/^done {2}/gm)).toHaveLength(4)
    const previous = git('rev-parse', 'v0.2.0')
    const refs = `refs/rsvp/previous ${previous}`
    expect(state(running)).toEqual({ commit: 'v0.3.0', version: '0.3.0', refs, trial: false })
    expect(readdirSync(join(site, 'data/backups'))).toHaveLength(1)
    await send(url, 'ben')
    expect(JSON.parse(rsvp('list --json').stdout)).toMatchObject([{ name: 'ben' }, { name: 'ana' }])
  })

  it('goes back with `rsvp rollback`, to the branch that was checked out', () => {
    const { rsvp, git } = running
    expect(rsvp('rollback --yes')).toMatchObject({ code: 0, stderr: '0.2.0 is in use again.\n' })
    expect([state(running).version, git('symbolic-ref', '--short', 'HEAD')]).toEqual([readProgramVersion(), 'main'])
  })

  it('goes on from the version before where an update was interrupted', () => {
    const { rsvp, git } = running
    // As a kill leaves it that came before 0.2.0 had been seen working.
    git('update-ref', 'refs/rsvp/unproved', 'v0.3.0')
    expect(rsvp('rollback --yes')).toMatchObject({ code: 0, stderr: '0.3.0 is in use again.\n' })
    const refs = expect.not.stringContaining('unproved')
    expect(state(running)).toMatchObject({ commit: 'v0.3.0', version: '0.3.0', refs })
  })

  it.each([
    ['does not build', '0.4.0', '0.4.0 cannot be built, see above'],
    [
      'loses responses',
      '0.5.0',
      '0.5.0 does not work with a copy of the database: it finds 0 responses where there are 2',
    ],
  ] as const)('puts nothing into use that %s', (kind, version, reason) => {
    const { rsvp, publish } = running
    publish(version, kind)
    const before = state(running)
    const { code, stderr } = rsvp('update --yes')
    expect({ code, last: stderr.trim().split('\n').at(-1) }).toEqual({
      code: 1,
      last: `${reason}. 0.3.0 is in use again.`,
    })
    expect(state(running)).toEqual(before)
  })

  it('goes back by itself where the site is not well, with the tables from before and what was stored', () => {
    const { rsvp, publish } = running
    publish('0.6.0', 'breaks and ends')
    const before = state(running)
    const { code, stderr } = rsvp('update --yes')
    expect({ code, last: stderr.trim().split('\n').at(-1) }).toEqual({
      code: 1,
      last: expect.stringMatching(
        /^0\.6\.0 is not well: .+\. 0\.3\.0 is in use again, with all that was stored meanwhile\.$/,
      ),
    })
    expect(state(running)).toEqual(before)
    expect(JSON.parse(rsvp('list --json').stdout)).toHaveLength(2)
  })

  it('brings back the database with `rsvp rollback --restore`, and adds what came since', async () => {
    const { rsvp, publish, url, site } = running
    publish('0.7.0', 'breaking')
    expect(rsvp('update --yes --quiet')).toEqual({ code: 0, stdout: '', stderr: '' })
    await send(url, 'cleo')
    const { code, stderr } = rsvp('rollback --yes')
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^The update has changed the tables of this site, and 0\.3\.0 cannot use them\. `npx rsvp rollback --restore`.+\. 0\.7\.0 is in use again\.\n$/,
      ),
    })
    expect(state(running)).toMatchObject({ commit: 'v0.7.0', version: '0.7.0' })
    expect(rsvp('rollback --restore --yes')).toMatchObject({ code: 0, stderr: '0.3.0 is in use again.\n' })
    expect(state(running)).toMatchObject({ commit: 'v0.3.0', version: '0.3.0', trial: false })
    const names = JSON.parse(rsvp('list --json').stdout).map(({ name }: { name: string }) => name)
    expect(names.sort()).toEqual(['ana', 'ben', 'cleo'])
    expect(existsSync(join(site, 'data/since-the-update.csv'))).toBe(false)
  })
})
