import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { openDatabase } from '#db/open.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { closeDatabase, db, openedDatabase } from '#db/storage/client.ts'
import { rsvps } from '#db/tables/rsvp.ts'
import { UserError } from '#db/values/errors.ts'
import { auditLines, emptyTables, everyRow, fileForEachTest, testCall, testRsvp } from '#testing/database-fixtures.ts'
import { createBackup, getLastBackup, openCopy } from './create.ts'

const call = testCall()
const at = (minute: number) => testCall({ now: new Date(Date.UTC(2025, 0, 5, 14, minute)) })

const database = fileForEachTest()
let folder: string

beforeEach(async () => {
  folder = join(database.folder, 'backups')
  mkdirSync(folder)
  await openDatabase(database.url)
  await createRsvp(testRsvp({ familyMembers: [{ name: 'Joel Cole' }], volunteerRoles: [2] }), call)
})

async function rowsIn(file: string): Promise<string> {
  await closeDatabase()
  await openDatabase(`file:${file}`)
  const rows = await everyRow()
  await closeDatabase()
  await openDatabase(database.url)
  return rows
}

describe('createBackup', () => {
  it('saves every row of every table in a private file, named after the moment', async () => {
    const rows = await everyRow()
    const backup = await createBackup({ folder }, call)
    const file = join(folder, 'rsvp-2025-01-05T14-00-00.000Z.db')
    expect(backup).toEqual({ file, responses: 1, removed: [] })
    expect(statSync(backup.file).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual([basename(backup.file)])
    expect(await rowsIn(backup.file)).toBe(rows)
    expect((await auditLines()).at(-1)).toBe(`terminal: backup made ${backup.file}`)
  })

  it('keeps the requested number of backups, and removes nothing else', async () => {
    const others = ['notes.txt', 'rsvps-2025-01-05.csv', 'rsvp.db']
    for (const name of others) writeFileSync(join(folder, name), 'mine')
    for (const minute of [1, 2, 3]) await createBackup({ folder }, at(minute))
    expect(readdirSync(folder)).toHaveLength(6)
    const { removed } = await createBackup({ folder, keep: 2 }, at(4))
    expect(removed.map((file) => basename(file))).toEqual([
      'rsvp-2025-01-05T14-02-00.000Z.db',
      'rsvp-2025-01-05T14-01-00.000Z.db',
    ])
    expect(readdirSync(folder).sort()).toEqual(
      [...others, 'rsvp-2025-01-05T14-03-00.000Z.db', 'rsvp-2025-01-05T14-04-00.000Z.db'].sort(),
    )
  })

  it('removes the files of interrupted backups, but not of a running one', async () => {
    const left = [-2, 0, 2].map((hours) => {
      const file = join(folder, `.rsvp-2025.db.rsvp-${randomUUID()}.tmp`)
      writeFileSync(file, 'half')
      const written = new Date(Date.now() + hours * 3600 * 1000)
      utimesSync(file, written, written)
      return file
    })
    await createBackup({ folder }, call)
    // The last file was written while the clock was ahead.
    expect(left.map((file) => existsSync(file))).toEqual([false, true, false])
  })

  it('removes no backups until a response is stored: they may be of an earlier database', async () => {
    for (const minute of [1, 2]) await createBackup({ folder }, at(minute))
    await closeDatabase()
    rmSync(join(database.folder, 'rsvp.db'))
    await openDatabase(database.url)
    for (const minute of [3, 4, 5]) await createBackup({ folder, keep: 1 }, at(minute))
    expect(readdirSync(folder)).toHaveLength(5)
    await createRsvp(testRsvp(), call)
    expect((await createBackup({ folder, keep: 2 }, at(6))).removed).toHaveLength(4)
    await emptyTables(rsvps)
    expect((await createBackup({ folder, keep: 1 }, at(7))).removed).toHaveLength(2)
  })

  it('names the folder whose disk is full, and leaves nothing there', async () => {
    await createBackup({ folder }, at(1))
    vi.spyOn(openedDatabase(), 'copyTo').mockRejectedValueOnce(new UserError('full', 'The disk is full.'))
    await expect(createBackup({ folder }, at(2))).rejects.toMatchObject({
      code: 'full',
      message: `The disk of ${folder} is full, so nothing was saved. Make room there, then try again.`,
    })
    expect(readdirSync(folder)).toHaveLength(1)
  })

  it('keeps all older backups, and no damaged copy, when the database is damaged', async () => {
    await createBackup({ folder }, at(1))
    await damageIndex()
    await expect(createBackup({ folder, keep: 1 }, at(2))).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringMatching(/no copy of it was made.+rsvp backup restore FILE$/),
    })
    expect(readdirSync(folder)).toEqual(['rsvp-2025-01-05T14-01-00.000Z.db'])
    expect(await getLastBackup({}, call)).toMatchObject({ at: at(1).now.toISOString() })
  })

  it('keeps no backup that could not be restored because of foreign objects', async () => {
    await createBackup({ folder }, at(1))
    await openedDatabase().batch([{ sql: 'CREATE INDEX their_own ON rsvps (phone)', args: [] }])
    await expect(createBackup({ folder, keep: 1 }, at(2))).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringMatching(/differs from .+: index their_own on rsvps\. Its backup could not be restored/),
    })
    expect(readdirSync(folder)).toHaveLength(1)
  })
})

describe('getLastBackup', () => {
  it('finds the last backup, and whether its file still exists', async () => {
    expect(await getLastBackup({}, call)).toBeUndefined()
    await createBackup({ folder }, at(1))
    const { file } = await createBackup({ folder }, at(2))
    expect(await getLastBackup({}, call)).toEqual({ at: at(2).now.toISOString(), file, present: true })
    expect(await getLastBackup({ folder: join(database.folder, 'nothing here') }, call)).toMatchObject({ file })
    rmSync(folder, { recursive: true })
    expect(await getLastBackup({}, call)).toEqual({ at: at(2).now.toISOString(), file, present: false })
    const others = join(database.folder, 'others')
    mkdirSync(others)
    const newer = join(others, 'rsvp-2025-02-01T02-30-00.000Z.db')
    writeFileSync(newer, '')
    const expected = { at: '2025-02-01T02:30:00.000Z', file: newer, present: true }
    expect(await getLastBackup({ folder: others }, call)).toEqual(expected)
  })

  it('finds the newest in the given folder and in that of the last recorded backup', async () => {
    const other = join(database.folder, 'other')
    mkdirSync(other)
    await createBackup({ folder }, at(1))
    const { file } = await createBackup({ folder: other }, at(2))
    expect(await getLastBackup({ folder }, at(3))).toMatchObject({ file })
  })

  it('ignores a backup made while the clock was ahead, if there is another one', async () => {
    const { file } = await createBackup({ folder }, at(1))
    const ahead = join(folder, 'rsvp-2030-01-01T00-00-00.000Z.db')
    writeFileSync(ahead, '')
    expect(await getLastBackup({ folder }, at(2))).toMatchObject({ file })
    rmSync(file)
    expect(await getLastBackup({ folder }, at(2))).toMatchObject({ file: ahead })
  })
})

/** Changes a byte of a key in its row, so that the index lacks the row. */
async function damageIndex(): Promise<void> {
  const [row] = await db.select({ key: rsvps.key }).from(rsvps)
  await changeFile((bytes) => bytes.write('!', bytes.lastIndexOf(row?.key ?? '')))
}

async function changeFile(change: (bytes: Buffer) => unknown): Promise<void> {
  await closeDatabase()
  const file = database.url.slice('file:'.length)
  const bytes = readFileSync(file)
  change(bytes)
  writeFileSync(file, bytes)
  await openDatabase(database.url)
}

describe('openCopy', () => {
  const others = () => readdirSync(database.folder).filter((name) => !/^(backups|rsvp\.db(-journal)?)$/.test(name))

  it('returns a copy of every row, whose file has no name', async () => {
    const rows = await everyRow()
    const file = await openCopy(database.url)
    expect((await file.stat()).mode & 0o777).toBe(0o600)
    expect(others()).toEqual([])
    const copy = join(database.folder, 'copy.db')
    writeFileSync(copy, await file.readFile())
    await file.close()
    expect(await rowsIn(copy)).toBe(rows)
  })
})
