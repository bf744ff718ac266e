import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileDatabase } from './fixtures.ts'
import { openDatabase } from './open.ts'
import { closeDatabase } from './storage/client.ts'
import { openLocal } from './storage/local.ts'

let database: ReturnType<typeof fileDatabase>
let file: string

beforeEach(() => {
  database = fileDatabase()
  file = join(database.folder, 'rsvp.db')
})
afterEach(async () => {
  await closeDatabase()
  database.stop()
})

describe('openDatabase', () => {
  it.each([
    ['a site serves from it', { serving: true, otherVersion: 'migrate' }],
    ['it must exist', { mustExist: true }],
    ['it may be new', {}],
    ['any version is accepted', { mustExist: true, otherVersion: 'accept' }],
    ['nothing may change', { mustExist: true, untouched: true }],
  ] as const)('rejects a file without a byte where %s, and leaves it so', async (_, opening) => {
    const newest = join(database.folder, 'backups', 'rsvp-2025-01-04T02-30-00.000Z.db')
    mkdirSync(join(database.folder, 'backups'))
    for (const path of [file, newest]) writeFileSync(path, '', { mode: 0o644 })
    const backupFolder = join(database.folder, 'backups')
    await expect(openDatabase(database.url, { ...opening, backupFolder })).rejects.toMatchObject({
      code: 'configuration',
      message: `The database at ${file} is damaged (it is empty); nothing was changed. Restore a backup: npx rsvp backup restore ${newest}`,
    })
    expect([statSync(file).size, statSync(file).mode & 0o777]).toEqual([0, 0o644])
    expect(readdirSync(database.folder).sort()).toEqual(['backups', 'rsvp.db'])
  })

  it('gives a new file its name with its first page, also where two create it at once', async () => {
    const opened = await Promise.all([1, 2].map(() => openLocal(file, { mustExist: false })))
    expect(statSync(file).size).toBeGreaterThan(0)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    for (const connection of opened) await connection.close()
    expect(readdirSync(database.folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  it('changes neither the permissions nor a database without tables where nothing may change', async () => {
    await openDatabase(database.url)
    await closeDatabase()
    chmodSync(file, 0o640)
    await openDatabase(database.url, { mustExist: true, untouched: true })
    expect(statSync(file).mode & 0o777).toBe(0o640)
    await closeDatabase()
    rmSync(file)
    await (await openLocal(file, { mustExist: false })).close()
    const bytes = readFileSync(file)
    const opening = openDatabase(database.url, { mustExist: true, untouched: true })
    await expect(opening).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('no tables'),
    })
    expect(readFileSync(file).equals(bytes)).toBe(true)
  })
})
