import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { acquireSiteLock } from '#db/storage/locks.ts'
import { makeNewer, makeNewerVersion } from '#testing/newer-version-fixtures.ts'
import { startLibsqlServer } from '../../scripts/testing/libsql-server.mjs'
import { inDatabase, inShell, makeDatabase, rsvp, rsvpProcess, testFolder } from '../fixtures.ts'

/** Commands that read, change, ask, or open the database by themselves. */
const refused =
  'list|add --name Ana|delete 3 --yes|import a.csv --yes|features familyRsvp off|admins invite --owner|password|mail test'

const newer = testFolder().url
const { folder } = testFolder()
const fileOf = (url: string) => url.slice('file:'.length)
const found = (url: string) => ({
  names: readdirSync(dirname(fileOf(url))).sort(),
  bytes: readFileSync(fileOf(url)).toString('base64'),
})

/** Every table with its rows. */
function contentOf(file: string) {
  return inDatabase(`file:${file}`, (database) => {
    const tables = database.prepare('SELECT * FROM sqlite_schema ORDER BY name').all()
    const names = tables.filter(({ type }) => type === 'table').map(({ name }) => String(name))
    const rows = names.map((name) => [name, database.prepare(`SELECT * FROM "${name}" ORDER BY 1`).all()])
    return { tables: tables.map(({ sql }) => sql), rows }
  })
}

describe('a database of a newer version', () => {
  beforeAll(async () => {
    await makeDatabase(newer)
    makeNewer(fileOf(newer))
  })

  it('is left unchanged by commands that cannot use it, which explain it and exit with 78', async () => {
    const before = found(newer)
    const stderr = expect.stringContaining('This database was written by a newer version. Update the site; ')
    for (const line of refused.split('|')) {
      const ended = await rsvp(newer, line.split(' '), { env: { RSVP_ACCESS: '' } })
      expect({ line, ...ended }).toMatchObject({ line, code: 78, stdout: '', stderr })
    }
    expect(found(newer)).toEqual(before)
  })

  it('is a finding of the doctor, and saved unchanged by rsvp backup', async () => {
    const before = found(newer)
    const doctor = await rsvp(newer, ['doctor'], { env: { PORT: '9' } })
    const line = /^wrong\tDatabase\tThis database was written by a newer version\. /m
    expect(doctor).toMatchObject({ code: 1, stdout: expect.stringMatching(line) })
    const backup = await rsvp(newer, ['backup', '--out', folder, '--json'])
    expect(backup).toMatchObject({ code: 0, stderr: '' })
    expect(contentOf(JSON.parse(backup.stdout).file)).toEqual(contentOf(fileOf(newer)))
    expect(found(newer)).toEqual(before)
  })
})

describe('a full database, for a version with one more migration', () => {
  const place = join(folder, 'newer')
  const full = join(folder, 'full.db')
  const url = `file:${join(folder, 'data', 'rsvp.db')}`
  const file = fileOf(url)
  beforeAll(async () => {
    makeNewerVersion(place)
    await makeDatabase(`file:${full}`)
    await rsvp(`file:${full}`, ['add', '--samples', '50'])
  })
  beforeEach(() => {
    rmSync(dirname(file), { recursive: true, force: true })
    mkdirSync(dirname(file))
    copyFileSync(full, file)
  })
  /** Runs the command of the newer version. */
  const next = (line: string, database = url) =>
    inShell(database, `rsvp ${line}`, { env: { PATH: `${place}/cli:/usr/bin:/bin` } })
  const kept = () => readdirSync(dirname(file)).filter((name) => /before-update-[-\d]+T[-\d]+\.\d{3}Z$/.test(name))
  const rides = 'SELECT count(*) AS count FROM rsvps WHERE needs_ride = attending'

  it('is refused by its commands, which name the one that brings it up to date', async () => {
    const before = found(url)
    const older = /^This database was written by an older version\. Restart the site, .+`rsvp migrate --db \/.+\.db`/
    const ended = await next(`list --db ${file}`, 'file:/nonexistent/x.db')
    expect(ended).toMatchObject({ code: 78, stdout: '', stderr: expect.stringMatching(older) })
    expect(found(url)).toEqual(before)
  })

  it('is moved over by `rsvp migrate`, which keeps a copy first, and once', async () => {
    const before = contentOf(file)
    const { code, stderr } = await next('migrate')
    const [copy = ''] = kept().map((name) => join(dirname(file), name))
    const messages = `The tables in ${file} are up to date now.\nThe previous database is kept as ${copy}\n`
    expect([code, stderr]).toEqual([0, messages])
    expect(contentOf(copy)).toEqual(before)
    expect(inDatabase(url, (database) => database.prepare(rides).get())).toEqual({ count: 50 })
    const after = contentOf(file)
    expect((await next('migrate')).stderr).toBe(`The tables in ${file} were up to date already.\n`)
    expect(JSON.parse((await next('migrate --json')).stdout)).toEqual({ migrated: false, kept: null })
    expect([kept().length, contentOf(file)]).toEqual([1, after])
    // This version refuses the migrated database, and restores the copy to go back.
    expect(await rsvp(url, ['list'])).toMatchObject({ code: 78, stderr: expect.stringContaining('newer version') })
    expect(await rsvp(url, ['backup', 'restore', copy, '--yes'])).toMatchObject({ code: 0 })
    expect(JSON.parse((await rsvp(url, ['list', '--json'])).stdout)).toHaveLength(50)
  })

  it('is not changed under a site that serves from it', async () => {
    const release = await acquireSiteLock(file)
    const before = contentOf(file)
    const refusal = /^A site is running on .+ Stop it first\.\n$/
    expect(await next('migrate')).toMatchObject({ code: 1, stderr: expect.stringMatching(refusal) })
    expect(contentOf(file)).toEqual(before)
    await release()
  })

  it('is moved over on a server too, by two at once', async () => {
    await using server = await startLibsqlServer()
    expect(await rsvpProcess(server.url, ['add', '--samples', '50'])).toMatchObject({ code: 0 })
    expect((await next('list', server.url)).stderr).toContain('older version')
    const both = await Promise.all([1, 2].map(() => next('migrate --json', server.url)))
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    expect(JSON.parse((await next('list --json', server.url)).stdout)).toHaveLength(50)
    expect((await rsvpProcess(server.url, ['list'])).stderr).toContain('newer version')
  })

  it('is restored from a backup unchanged', async () => {
    const restored = `file:${join(folder, 'restored', 'rsvp.db')}`
    expect(await next(`backup restore ${full} --yes`, restored)).toMatchObject({ code: 0 })
    expect(contentOf(fileOf(restored)).tables).toEqual(contentOf(full).tables)
  })
})
