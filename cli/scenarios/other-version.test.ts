import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeNewer, makePreviousDatabase } from '#db/previous-version-fixtures.ts'
import { acquireSiteLock } from '#db/storage/locks.ts'
import { inDatabase, makeDatabase, rsvp, rsvpProcess, testFolder } from '../fixtures.ts'
import { idleProgram, namesOf } from '../understood-fixtures.ts'

/** The arguments of each command that needs the tables of this version. */
const refused: Record<string, string> = {
  list: '',
  show: '3',
  add: '--name Ana',
  edit: '3 --name Ana',
  import: 'responses.csv --yes',
  delete: '3 --yes',
  merge: '--yes',
  restore: '3',
  'standing list': '',
  'standing keep': '3',
  'standing end': '3',
  export: '--out -',
  stats: '',
  sheet: '',
  turnout: '2026-11-21 87',
  features: 'familyRsvp off',
  roles: 'Usher --needed 3',
  event: '--title Easter',
  schedule: '--weekday sunday',
  settings: 'publicNames=none --yes',
  'admins list': '',
  'admins invite': '--owner',
  'admins set': '1 --role clerk',
  'admins remove': '1 --yes',
  code: '',
  password: '',
  sessions: '--end all',
  audit: '',
  'mail test': '',
  'mail queue': '',
  'mail retry': '',
}
/** Commands that need no tables, bring them up to date, or accept those of any version. */
const others = ['share', 'serve', 'migrate', 'backup make', 'backup restore', 'doctor']

const older = testFolder().url
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

beforeAll(async () => {
  await makeDatabase(older)
  await makeDatabase(newer)
  makeNewer(fileOf(newer))
  rmSync(fileOf(older))
  makePreviousDatabase(fileOf(older), 3)
})

describe('a database of another version', () => {
  it('is tried with every command: add a new one to `refused` or `others`', () => {
    expect([...Object.keys(refused), ...others].sort()).toEqual(namesOf(idleProgram()).sort())
  })

  it.each([
    ['an older', older, 'This database was written by an older version. Restart the site, '],
    ['a newer', newer, 'This database was written by a newer version. Update the site; '],
  ])(
    'is left unchanged by every command that cannot use %s one, which explains it and exits with 78',
    async (_, url, sentence) => {
      const before = found(url)
      for (const [name, words] of Object.entries(refused)) {
        const call = [...name.split(' '), ...words.split(' ').filter((word) => word !== '')]
        const ended = await rsvp(url, call, { env: { RSVP_ACCESS: '' } })
        expect({ name, ...ended }).toMatchObject({
          name,
          code: 78,
          stdout: '',
          stderr: expect.stringContaining(sentence),
        })
      }
      expect(found(url)).toEqual(before)
    },
  )

  it('is named with --db in the command that brings it up to date', async () => {
    const { stderr } = await rsvp('file:/nonexistent/x.db', ['list', '--db', older])
    expect(stderr).toContain(`\`rsvp migrate --db ${older}\``)
  })

  it.each([
    ['an older', older, /^wrong\tDatabase\tThis database was written by an older version\. /m],
    ['a newer', newer, /^wrong\tDatabase\tThis database was written by a newer version\. /m],
  ])(
    'is a finding of the doctor, and saved unchanged by rsvp backup, where %s version wrote it',
    async (_, url, line) => {
      const before = found(url)
      const doctor = await rsvp(url, ['doctor'], { env: { PORT: '9' } })
      expect(doctor).toMatchObject({ code: 1, stdout: expect.stringMatching(line) })
      const backup = await rsvp(url, ['backup', '--out', folder, '--json'])
      expect(backup).toMatchObject({ code: 0, stderr: '' })
      expect(contentOf(JSON.parse(backup.stdout).file)).toEqual(contentOf(fileOf(url)))
      expect(found(url)).toEqual(before)
    },
  )
})

describe('rsvp migrate', () => {
  const url = `file:${join(folder, 'data', 'rsvp.db')}`
  const file = fileOf(url)
  beforeEach(() => {
    rmSync(dirname(file), { recursive: true, force: true })
    mkdirSync(dirname(file))
    makePreviousDatabase(file, 3)
  })
  const kept = () =>
    readdirSync(dirname(file)).filter((name) => /before-update-[^-]+-[^-]+-[^-]+-[^-]+-[^-]+$/.test(name))

  it('brings the tables up to date, keeps a copy first, and says so', async () => {
    const before = contentOf(file)
    const { code, stdout, stderr } = await rsvp(url, ['migrate'])
    const [copy = ''] = kept().map((name) => join(dirname(file), name))
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '',
      stderr: `The tables in ${file} are up to date now.\nThe previous database is kept as ${copy}\n`,
    })
    expect(contentOf(copy)).toEqual(before)
    expect(await rsvp(url, ['list', '--json'])).toMatchObject({ code: 0, stdout: expect.stringContaining('Visitor 3') })

    expect(await rsvp(url, ['migrate'])).toEqual({
      code: 0,
      signal: null,
      stdout: '',
      stderr: `The tables in ${file} were up to date already.\n`,
    })
    expect(JSON.parse((await rsvp(url, ['migrate', '--json'])).stdout)).toEqual({ migrated: false, kept: null })
    expect(kept()).toHaveLength(1)
  })

  it('does not change the tables under a site that serves from them, unless forced', async () => {
    const release = await acquireSiteLock(file)
    const before = contentOf(file)
    expect(await rsvp(url, ['migrate'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^A site is running on .+ Stop it first, or pass --force\.\n$/),
    })
    expect(contentOf(file)).toEqual(before)
    expect(await rsvp(url, ['migrate', '--force', '--json'])).toMatchObject({ code: 0 })
    await release()
  })

  it('migrates once where two run at the same time', async () => {
    const both = await Promise.all([1, 2].map(() => rsvpProcess(url, ['migrate', '--force', '--json'])))
    expect(both).toMatchObject([1, 2].map(() => ({ code: 0, stderr: '' })))
    expect(await rsvp(url, ['stats'])).toMatchObject({ code: 0 })
  })
})

describe('an older backup', () => {
  it('is restored unchanged, and what happens at the next start is said', async () => {
    const backup = join(folder, 'older.db')
    makePreviousDatabase(backup, 3)
    const before = contentOf(backup)
    const url = `file:${join(folder, 'restored', 'rsvp.db')}`
    const { code, stderr } = await rsvp(url, ['backup', 'restore', backup, '--yes'])
    expect({ code, last: stderr.trimEnd().split('\n').at(-1) }).toEqual({
      code: 0,
      last: 'Start the site: it migrates the tables, which are from an older version.',
    })
    expect(contentOf(fileOf(url))).toEqual(before)
    expect(contentOf(backup)).toEqual(before)
  })
})
