import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { ask, expectProblem, type Site } from '#site/scenarios/fixtures.ts'
import { scrape, valuesOf } from '#site/scenarios/metrics/fixtures.ts'
import { localEnvironment, root } from '../../../scripts/local-node.mjs'
import { run } from '../../../scripts/run.mjs'
import { startBuiltServer } from '../../../scripts/testing/built-server.mjs'

const stops: (() => unknown)[] = []
let folder: string
let backups: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rsvp-nightly-'))
  backups = join(folder, 'backups')
})
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
  rmSync(folder, { recursive: true, force: true })
})

/** A site on a database in the folder of the test, which outlives it. */
async function startSite(variables: Record<string, string> = {}): Promise<Site> {
  const site = await startBuiltServer({
    DATABASE_URL: `file:${join(folder, 'rsvp.db')}`,
    BACKUP_DIR: backups,
    ...variables,
  })
  stops.push(site.stop)
  return site
}

const made = () => (existsSync(backups) ? readdirSync(backups) : [])
const eventually = (look: () => unknown) => vi.waitFor(look, { interval: 100 })

describe('the nightly backup', () => {
  it('is made as soon as the site runs where there never was one, and not again before it is due', async () => {
    const first = await startSite()
    await eventually(() => expect(made()).toEqual([expect.stringMatching(/^rsvp-.+Z\.db$/)]))
    await first.stop()
    const second = await startSite()
    expect((await ask(second, 'POST /api/rsvp', { json: testRsvp() })).status).toBe(201)
    await second.stop()
    expect(made()).toHaveLength(1)
    expect(second.output()).toMatch(/^The RSVP site is ready at \S+\n$/)
  })

  it('is made once, and not again and again, where one claims to be from the future', async () => {
    mkdirSync(backups)
    writeFileSync(join(backups, 'rsvp-2100-01-01T00-00-00.000Z.db'), '')
    const first = await startSite()
    await eventually(() => expect(made()).toHaveLength(2))
    await first.stop()
    const second = await startSite()
    expect((await ask(second, 'POST /api/rsvp', { json: testRsvp() })).status).toBe(201)
    await second.stop()
    expect(made()).toHaveLength(2)
  })

  it('is made even if an administrator has made one elsewhere', async () => {
    await (await startSite({ BACKUP_DIR: '' })).stop()
    const environment = localEnvironment({ DATABASE_URL: `file:${join(folder, 'rsvp.db')}` })
    const words = ['backup', '--create-folder', '--out', join(folder, 'elsewhere')]
    expect(await run(join(root, 'cli', 'rsvp'), words, environment)).toMatchObject({ code: 0 })
    await startSite()
    await eventually(() => expect(made()).toHaveLength(1))
  })

  it('is not made where no folder is set', async () => {
    const site = await startSite({ BACKUP_DIR: '' })
    expect((await ask(site, 'GET /share')).status).toBe(200)
    await site.stop()
    expect(readdirSync(folder).sort()).toEqual(['rsvp.db', 'rsvp.db-journal', 'rsvp.db-site'])
  })

  it.each([
    ['is a file', () => writeFileSync(backups, 'no folder'), 'is a file, not a folder'],
    [
      'is on a disk that is away',
      () => symlinkSync(join(folder, 'away', 'backups'), backups),
      'is a broken link (ENOENT)',
    ],
  ])(
    'says at the start and in the log why there is none where the folder %s, and the site goes on',
    async (_, make, why) => {
      make()
      const site = await startSite()
      expect(site.output()).toMatch(/^There will be no backups\./)
      await eventually(() => expect(site.output()).toContain('the nightly backup failed'))
      expect(site.output().split(`${backups} ${why}`)).toHaveLength(3)
      expect((await ask(site, 'POST /api/rsvp', { json: testRsvp() })).status).toBe(201)
    },
  )

  it('is asked for at a start without the database that was saved', async () => {
    const site = await startSite()
    await eventually(() => expect(made()).toEqual([expect.stringMatching(/^rsvp-.*\.db$/)]))
    await site.stop()
    rmSync(join(folder, 'rsvp.db'))
    const [backup] = made()
    const todo = `If that was lost, stop the site and run: npx rsvp backup restore ${join(backups, String(backup))}`
    expect((await startSite()).output()).toContain(todo)
  })

  it('does not keep the site from starting when its disk hangs', async () => {
    const site = await startSite(silentFolder())
    expect(site.output()).toContain(`There will be no backups. ${backups} does not answer: look at its disk`)
    expect((await ask(site, 'POST /api/rsvp', { json: testRsvp() })).status).toBe(201)
  })

  it('ends with the site, also while it has not begun', async () => {
    const { preload } = waitingBackup()
    const site = await startSite(preload)
    await site.stop()
    expect(made()).toEqual([])
  })

  it('finds damage: then everything can be read, nothing stored, and health says so', async () => {
    const { preload, goOn } = waitingBackup()
    const site = await startSite(preload)
    const message = 'x'.repeat(1900)
    for (let count = 0; count < 40; count++) await ask(site, 'POST /api/rsvp', { json: testRsvp({ message }) })
    const file = join(folder, 'rsvp.db')
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.fill(255, bytes.indexOf(message), bytes.indexOf(message) + 40_000))
    goOn()

    await eventually(async () => expectProblem(await ask(site, 'POST /api/rsvp', { json: testRsvp() }), 503))
    expect(site.output()).toMatch(/damaged.+rsvp backup restore FILE/)
    // Its result is cached for two seconds.
    await eventually(async () => expectProblem(await ask(site, 'GET /api/health'), 503))
    expect((await ask(site, 'GET /api/health')).body).toContain('The database is damaged. Stop the site and')
    expect(valuesOf(await scrape(site), 'rsvp_database_damaged')).toEqual({ '': 1 })
    expect((await ask(site, 'GET /share')).status).toBe(200)
    expect(made()).toEqual([])
    expect(site.output()).not.toContain('unexpected error')
  })
})

/** Lets the folder be as on a disk in the network that has gone: no call of the system ever comes back. */
function silentFolder(): Record<string, string> {
  const script = join(folder, 'silent.cjs')
  const silent = `(path, ...others) => path === '${backups}' ? new Promise(() => setInterval(() => {}, 1000)) : own(path, ...others)`
  writeFileSync(script, `const { promises } = require('fs'), own = promises.mkdir; promises.mkdir = ${silent}`)
  return { NODE_OPTIONS: `--require=${script}` }
}

/** Lets the command wait, and only that, until it is told to go on. */
function waitingBackup() {
  const [script, sign] = [join(folder, 'wait.cjs'), join(folder, 'go-on')]
  const wait = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)'
  const isBackup = "process.argv.includes('backup')"
  writeFileSync(script, `if (${isBackup}) while (!require('fs').existsSync('${sign}')) ${wait}`)
  return { preload: { NODE_OPTIONS: `--require=${script}` }, goOn: () => writeFileSync(sign, '') }
}
