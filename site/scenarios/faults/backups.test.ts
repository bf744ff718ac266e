import { execFileSync } from 'node:child_process'
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
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, type TestContext, vi } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { ask, expectProblem, type Site } from '#site/scenarios/fixtures.ts'
import { scrape, valuesOf } from '#site/scenarios/metrics/fixtures.ts'
import { localEnvironment, root } from '../../../scripts/local-node.mjs'
import { startBuiltServer } from '../../../scripts/testing/built-server.mjs'

/** A folder that outlives the sites of a test, and what belongs to it; tests wait for their sites side by side. */
function surroundings({ onTestFinished }: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-backups-'))
  // A backup that was under way ends a moment after its site.
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  const backups = join(folder, 'backups')
  const settings: Record<string, string> = { DATABASE_URL: `file:${join(folder, 'rsvp.db')}`, BACKUP_DIR: backups }

  async function start(variables: Record<string, string> = {}): Promise<Site> {
    const site = await startBuiltServer({ ...settings, ...variables })
    onTestFinished(async () => void (await site.stop()))
    return site
  }

  /** Copies go to another folder from now on. */
  function sendCopies(): string {
    const words = ['init', '--backup-key', join(folder, 'identity.txt'), '--quiet']
    const env = localEnvironment(settings)
    const printed = execFileSync(join(root, 'cli', 'rsvp'), words, { env, encoding: 'utf8' })
    for (const [, name = '', value = ''] of printed.matchAll(/^([A-Z_]+)=(.+)$/gm)) settings[name] = value
    settings.BACKUP_COPY_TO = join(folder, 'away')
    return settings.BACKUP_COPY_TO
  }

  function inDatabase<Result>(look: (rows: DatabaseSync) => Result): Result {
    const database = new DatabaseSync(join(folder, 'rsvp.db'), { timeout: 5000 })
    try {
      return look(database)
    } finally {
      database.close()
    }
  }

  return {
    folder,
    backups,
    settings,
    start,
    sendCopies,
    inDatabase,
    made: () => (existsSync(backups) ? readdirSync(backups) : []),
    acts: () =>
      inDatabase((rows) => rows.prepare('SELECT action FROM audit_entries ORDER BY id').all()).map(
        ({ action }) => action,
      ),
  }
}

const eventually = (look: () => unknown) => vi.waitFor(look, { interval: 50 })

describe.concurrent('the backup of the site', () => {
  it('is made once, also where one claims to be from the future, and asked for once the database is gone', async (context) => {
    const { folder, backups, start, made } = surroundings(context)
    mkdirSync(backups)
    writeFileSync(join(backups, 'rsvp-2100-01-01T00-00-00.000Z.db'), '')
    const first = await start()
    await eventually(() => expect(made()).toEqual([expect.stringMatching(/^rsvp-.+Z\.db$/), expect.any(String)]))
    await first.stop()
    const second = await start()
    expect((await ask(second, 'POST /api/rsvp', { json: testRsvp() })).status).toBe(201)
    await second.stop()
    expect(made()).toHaveLength(2)
    expect(second.output()).toMatch(/^The RSVP site is ready at \S+\nTo guard it, open \S+ on this computer\.\n$/)
    rmSync(join(folder, 'rsvp.db'))
    expect((await start()).output()).toContain('If that was lost, stop the site and run: npx rsvp backup restore ')
  })

  it('that cannot be made is missed at the start and in the log, and the site goes on', async (context) => {
    const { folder, backups, start } = surroundings(context)
    symlinkSync(join(folder, 'away', 'backups'), backups)
    const site = await start()
    expect(site.output()).toMatch(/^There will be no backups\./)
    await eventually(() => expect(site.output()).toContain('the nightly backup failed'))
    expect(site.output().split(`${backups} is a broken link (ENOENT)`)).toHaveLength(3)
    expect((await ask(site, 'POST /api/rsvp', { json: testRsvp() })).status).toBe(201)
  })

  it('does not keep the site from starting when its disk hangs', async (context) => {
    const { folder, backups, start } = surroundings(context)
    // As on a disk in the network that has gone: no call of the system ever comes back.
    const script = join(folder, 'silent.cjs')
    const silent = `(path, ...others) => path === '${backups}' ? new Promise(() => setInterval(() => {}, 1000)) : own(path, ...others)`
    writeFileSync(script, `const { promises } = require('fs'), own = promises.mkdir; promises.mkdir = ${silent}`)
    const site = await start({ NODE_OPTIONS: `--require=${script}` })
    expect(site.output()).toContain(`There will be no backups. ${backups} does not answer: look at its disk`)
    expect((await ask(site, 'POST /api/rsvp', { json: testRsvp() })).status).toBe(201)
  })

  it('ends with the site while it has not begun; then it finds damage, and nothing is stored any more', async (context) => {
    const { folder, start, made } = surroundings(context)
    const { preload, goOn } = waitingBackup(folder)
    await (await start(preload)).stop()
    expect(made()).toEqual([])
    const site = await start(preload)
    const message = 'x'.repeat(1900)
    for (let count = 0; count < 40; count++) await ask(site, 'POST /api/rsvp', { json: testRsvp({ message }) })
    const file = join(folder, 'rsvp.db')
    const bytes = readFileSync(file)
    // The last ones lie together; the first may stand on a page that another table gave up.
    const end = bytes.lastIndexOf(message)
    writeFileSync(file, bytes.fill(255, end - 40_000, end))
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

describe.concurrent('a copy of the backup', () => {
  it('is sent and proved once; after a month again, and what is damaged then is told', async (context) => {
    const { start, sendCopies, inDatabase, acts } = surroundings(context)
    const away = sendCopies()
    const first = await start()
    await eventually(() => expect(acts()).toEqual(['backup made', 'copy sent', 'drill passed']))
    expect(readdirSync(away)).toEqual([expect.stringMatching(/^rsvp-.+\.0-0-0\.[\da-f]{32}\.db\.age$/)])
    expect((await ask(first, 'GET /admin')).body).not.toContain('restore drill')
    await first.stop()
    const second = await start()
    expect((await ask(second, 'GET /share')).status).toBe(200)
    await second.stop()
    expect(acts()).toHaveLength(3)

    const [copy = ''] = readdirSync(away).map((name) => join(away, name))
    writeFileSync(copy, readFileSync(copy).fill(0, 1000, 2000))
    const monthAgo = "UPDATE audit_entries SET at = '2020-01-01T00:00:00.000Z' WHERE action = 'drill passed'"
    inDatabase((rows) => rows.exec(monthAgo))
    const third = await start()
    await eventually(() => expect(acts().at(-1)).toBe('drill failed'))
    const reason = /"reason":"[^"]+\.age is damaged [^"]+","msg":"the restore drill failed"/
    await eventually(() => expect(third.output()).toMatch(reason))
    expect((await ask(third, 'GET /admin')).body).toMatch(
      /The restore drill of [-\d]+ failed: the newest backup is damaged\. Run `npx rsvp backup verify`/,
    )
    expect(existsSync(copy)).toBe(true)
  })

  it('that cannot be sent is sent after the next start, and left to others to prove where there is no identity', async (context) => {
    const { settings, start, sendCopies, made, acts } = surroundings(context)
    const away = sendCopies()
    delete settings.BACKUP_COPY_IDENTITY_FILE
    writeFileSync(away, 'no folder')
    const first = await start()
    await eventually(() => expect(first.output()).toContain('no copy of the backup could be sent'))
    expect(first.output()).toContain(`${away} is a file, not a folder`)
    await first.stop()
    rmSync(away)
    const second = await start()
    await eventually(() => expect(acts()).toEqual(['backup made', 'copy sent']))
    await second.stop()
    expect([acts().length, made().length]).toEqual([2, 1])
  })

  it('is never sent without encryption: the site does not start', async (context) => {
    const { settings, start, sendCopies } = surroundings(context)
    sendCopies()
    delete settings.BACKUP_COPY_RECIPIENT
    await expect(start()).rejects.toThrow('BACKUP_COPY_TO needs BACKUP_COPY_RECIPIENT: copies are always encrypted.')
  })
})

/** Lets the command wait, and only that, until it is told to go on. */
function waitingBackup(folder: string) {
  const [script, sign] = [join(folder, 'wait.cjs'), join(folder, 'go-on')]
  const wait = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)'
  const isBackup = "process.argv.includes('backup')"
  writeFileSync(script, `if (${isBackup}) while (!require('fs').existsSync('${sign}')) ${wait}`)
  return { preload: { NODE_OPTIONS: `--require=${script}` }, goOn: () => writeFileSync(sign, '') }
}
