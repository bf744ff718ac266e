import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, type TestContext, vi } from 'vitest'
import { ask, expectProblem, runRsvp, type Site } from '#site/scenarios/fixtures.ts'
import { administeredSite, inSiteDatabase } from '#site/scenarios/guarded-fixtures.ts'
import { startBuiltServer } from '#testing/built-server.mjs'
import { testRsvp } from '#testing/database-fixtures.ts'

/** A folder that outlives the sites of a test, and what belongs to it; tests wait for their sites side by side. */
function surroundings({ onTestFinished }: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-backups-'))
  // A backup that was under way ends a moment after its site.
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  const backups = join(folder, 'backups')
  mkdirSync(backups)
  const settings = { DATABASE_URL: `file:${join(folder, 'rsvp.db')}`, BACKUP_DIR: backups }

  async function start(variables: Record<string, string> = {}): Promise<Site> {
    const site = await startBuiltServer({ ...settings, ...variables })
    onTestFinished(async () => void (await site.stop()))
    return site
  }

  return {
    folder,
    backups,
    start,
    made: () => readdirSync(backups),
  }
}

const eventually = (look: () => unknown) => vi.waitFor(look, { interval: 50 })

describe.concurrent('the backup of the site', () => {
  it('is made once, also where one claims to be from the future, and asked for once the database is gone', async (context) => {
    const { folder, backups, start, made } = surroundings(context)
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

  it('has a folder: where that is missing, the first start makes neither, and a later one goes without', async (context) => {
    const { folder, backups, start, made } = surroundings(context)
    rmdirSync(backups)
    await expect(start()).rejects.toThrow(`There is no folder ${backups} for backups: mount its disk, or create it.`)
    expect(readdirSync(folder)).toEqual([])
    await (await start({ BACKUP_DIR: '' })).stop()
    expect((await start()).output()).toContain(`There will be no backups. There is no folder ${backups}`)
    expect(made).toThrow('ENOENT')
  })

  it('that cannot be made is missed at the start and in the log, and the site goes on', async (context) => {
    const { backups, start } = surroundings(context)
    rmdirSync(backups)
    writeFileSync(backups, '')
    const site = await start()
    expect(site.output()).toMatch(/^There will be no backups\./)
    await eventually(() => expect(site.output()).toContain('the nightly backup failed'))
    expect((await ask(site, 'POST /api/rsvp', { json: testRsvp() })).status).toBe(201)
  })

  it('does not keep the site from starting when its disk hangs', async (context) => {
    const { folder, backups, start } = surroundings(context)
    // As on a disk in the network that has gone: no call of the system ever comes back.
    const script = join(folder, 'silent.cjs')
    const silent = `(path, ...others) => path === '${backups}' ? new Promise(() => setInterval(() => {}, 1000)) : own(path, ...others)`
    writeFileSync(script, `const { promises } = require('fs'), own = promises.stat; promises.stat = ${silent}`)
    const site = await start({ NODE_OPTIONS: `--require=${script}` })
    expect(site.output()).toContain(`There will be no backups. ${backups} does not answer: look at its disk`)
    expect((await ask(site, 'POST /api/rsvp', { json: testRsvp() })).status).toBe(201)
    expect((await ask(site, 'GET /api/backups')).body).toContain(`${backups} does not answer: look at its disk`)
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
    const form = { page: '/share', attending: 'true', name: 'Ana Cole', email: 'ana@cole.example' }
    const { body } = await ask(site, 'POST /api/rsvp', { form })
    expect(body).toContain('Everything you typed is still here. If it fails again, tell the church office.')
    expect(body).not.toContain('rsvp backup restore')
    // Its result is cached for two seconds.
    await eventually(async () => expectProblem(await ask(site, 'GET /api/health'), 503))
    expect((await ask(site, 'GET /api/health')).body).toContain('The database is damaged. Stop the site and')
    expect((await ask(site, 'GET /share')).status).toBe(200)
    expect(made()).toEqual([])
    expect(site.output()).not.toContain('unexpected error')
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

describe('the download of a backup', () => {
  const site = administeredSite()

  it('is a database that the command restores, with everything in it', async ({ onTestFinished }) => {
    const folder = mkdtempSync(join(tmpdir(), 'rsvp-download-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    await ask(site(), 'POST /api/rsvp', { json: testRsvp() })
    const { status, headers, bytes } = await ask(site(), 'POST /api/backups/download')
    expect([status, headers['content-type']]).toEqual([200, 'application/octet-stream'])
    const disposition = /^attachment; filename="(rsvp-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z\.db)"$/
    const [, name = ''] = disposition.exec(headers['content-disposition'] ?? '') ?? []
    const act = inSiteDatabase(site(), (database) =>
      database.prepare('SELECT * FROM audit_entries ORDER BY id DESC').get(),
    )
    expect(act).toMatchObject({ administrator_id: 1, action: 'backup downloaded', subject: name })
    // No temporary file stays.
    expect(readdirSync(site().folder).filter((file) => file.startsWith('.'))).toEqual([])
    const downloaded = join(folder, name)
    writeFileSync(downloaded, bytes)
    // Refused, because the site runs.
    const here = runRsvp(site(), ['backup', 'restore', downloaded, '--yes'])
    await expect(here).rejects.toMatchObject({ actual: [expect.anything(), 1, null] })
    const restored = `file:${join(folder, 'restored.db')}`
    await runRsvp(restored, ['backup', 'restore', downloaded, '--yes'])
    await runRsvp(restored, ['export', '--out', join(folder, 'restored.csv')])
    expect(readFileSync(join(folder, 'restored.csv'), 'utf8')).toContain('ana@cole.example')
  })
})
