import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { addPasskey } from '#db/access/fixtures.ts'
import { findSession } from '#db/access/sessions.ts'
import { isGuarded, setPassword } from '#db/access/setup.ts'
import { signIn } from '#db/access/sign-in.ts'
import { openDatabase } from '#db/open.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { closeDatabase, db, transaction } from '#db/storage/client.ts'
import { acquireSiteLock } from '#db/storage/locks.ts'
import { mailQueue } from '#db/tables/mail.ts'
import { rsvps } from '#db/tables/rsvp.ts'
import {
  addAdministrator,
  auditLines,
  changeFile,
  fileForEachTest,
  rowsIn,
  testCall,
  testPassword,
  testRsvp,
} from '#testing/database-fixtures.ts'
import { makeNewer } from '#testing/newer-version-fixtures.ts'
import { createBackup, getLastBackup } from './create.ts'
import { restoreBackup } from './restore.ts'

const call = testCall()

/** A backup of one response, and a second response stored afterwards. */
const database = fileForEachTest(async () => {
  mkdirSync(join(database.folder, 'backups'))
  await createRsvp(testRsvp({ name: 'Ana Cole' }), call)
  await createBackup({ folder: join(database.folder, 'backups') }, call)
  await createRsvp(testRsvp({ name: 'Ben Cole' }), call)
})
let target: string
let folder: string
let file: string

beforeEach(() => {
  target = database.file
  folder = join(database.folder, 'backups')
  file = join(folder, 'rsvp-2025-01-05T14-00-00.000Z.db')
})

async function names(path = target): Promise<string[]> {
  await openDatabase(`file:${path}`)
  const rows = await db.select({ name: rsvps.name }).from(rsvps)
  await closeDatabase()
  return rows.map(({ name }) => name)
}

const restore = (changes = {}, confirm: Parameters<typeof restoreBackup>[2] = async () => {}, by = call) =>
  restoreBackup({ file, target, ...changes }, by, confirm)
const leftovers = () => readdirSync(database.folder).filter((name) => name.includes('.tmp'))

describe('restoreBackup', () => {
  it('deletes messages that may have been sent since, and notes when, so that none is queued again', async () => {
    await openDatabase(database.url)
    for (const email of ['ana@cole.example', 'joel@cole.example'])
      await createRsvp(testRsvp({ email }), { ...call, sendsMail: true })
    const at = call.now.toISOString()
    await transaction((tx) => tx.update(mailQueue).set({ sentAt: at }).where(eq(mailQueue.id, 1)))
    const { file: saved } = await createBackup({ folder }, testCall({ now: new Date('2025-01-05T14:10:00Z') }))
    await closeDatabase()
    await restore({ file: saved })
    expect(rowsIn(target, 'SELECT id FROM mail_queue')).toEqual([{ id: 1 }])
    const state = { restored_at: at, lease_holder: null }
    expect(rowsIn(target, 'SELECT restored_at, lease_holder FROM mail_state')).toEqual([state])
  })

  it('replaces the database with the backup, keeps the previous one beside it, and records it', async () => {
    const before = readFileSync(file)
    const done = await restore({}, async (responses) => {
      expect(responses).toBe(1)
      expect(await names()).toHaveLength(2)
    })
    const kept = `${target}.before-restore-2025-01-05T14-00-00.000Z`
    expect(done).toEqual({ responses: 1, kept })
    expect(await names()).toEqual(['Ana Cole'])
    expect(await names(kept)).toEqual(['Ana Cole', 'Ben Cole'])
    expect(statSync(target).mode & 0o777).toBe(0o600)
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(leftovers()).toEqual([])
    await openDatabase(database.url)
    expect((await auditLines()).at(-1)).toBe(`terminal: backup restored ${file}`)
    // The backup was made before its own creation was recorded.
    expect(await getLastBackup({}, call)).toMatchObject({ at: call.now.toISOString(), file, present: true })
  })

  it.each([
    ['has a damaged header', (bytes: Buffer) => bytes.fill('x', 0, 200)],
    ['is a text', () => Buffer.from('Dear diary')],
  ])('restores over a database that %s, and keeps that unchanged', async (_, damage) => {
    const damaged = damage(readFileSync(target))
    writeFileSync(target, damaged)
    const { kept } = await restore()
    expect(await names()).toEqual(['Ana Cole'])
    expect(readFileSync(String(kept)).equals(damaged)).toBe(true)
  })

  it('does not roll back the journal of a lost database into the new one', async () => {
    rmSync(target)
    writeFileSync(`${target}-journal`, 'what was there before')
    await restore()
    expect(readFileSync(`${target}.without-database-journal`, 'utf8')).toBe('what was there before')
    expect(await names()).toEqual(['Ana Cole'])
  })

  it('changes nothing when it is not confirmed', async () => {
    await expect(restore({}, () => Promise.reject(new Error('no')))).rejects.toThrow(/^no$/)
    expect(await names()).toEqual(['Ana Cole', 'Ben Cole'])
    expect(readdirSync(database.folder).sort()).toEqual(['backups', 'rsvp.db', 'rsvp.db-journal', 'rsvp.db-site'])
  })

  it('fails while a site serves from the database', async () => {
    const release = await acquireSiteLock(target)
    await expect(restore()).rejects.toMatchObject({
      code: 'busy',
      message: `A site is running on ${target}, or a restore is. Stop it first.`,
    })
    await release()
    expect(await names()).toHaveLength(2)
  })

  it('follows a link to the database and its site lock', async () => {
    const other = join(database.folder, 'link.db')
    symlinkSync(target, other)
    const release = await acquireSiteLock(target)
    await expect(restore({ target: other })).rejects.toMatchObject({ code: 'busy' })
    await release()
    await restore({ target: other })
    expect(lstatSync(other).isSymbolicLink()).toBe(true)
    expect(await names()).toEqual(['Ana Cole'])
  })

  it.runIf(process.getuid?.() === 0)('leaves files that root restores to the account of the site', async () => {
    chownSync(target, 65534, 65534)
    await restore()
    expect([target, `${target}-site`].map((path) => statSync(path).uid)).toEqual([65534, 65534])
  })

  it('ends every session and invitation, and brings back the administrators of the backup with what they sign in with', async () => {
    const later = testCall({ now: new Date('2025-01-05T14:30:00Z') })
    await openDatabase(database.url)
    await setPassword({ password: testPassword }, call)
    const { token } = await signIn({ password: testPassword }, call)
    const kim = await addAdministrator({ invitationHash: 'a'.repeat(64), invitationEndsAt: 9e12 })
    await addPasskey(kim)
    file = (await createBackup({ folder }, later)).file
    await closeDatabase()
    changeFile(target, `UPDATE administrators SET removed_at = 1 WHERE id = ${kim}; DELETE FROM passkeys`)
    await restore({}, undefined, later)
    const people = 'SELECT removed_at, invitation_hash AS hash, invitation_ends_at AS ends FROM administrators'
    expect(rowsIn(target, people)).toEqual(Array(2).fill({ removed_at: null, hash: null, ends: null }))
    expect(rowsIn(target, 'SELECT administrator_id AS id FROM passkeys')).toEqual([{ id: kim }])
    await openDatabase(database.url)
    expect(await isGuarded()).toBe(true)
    expect(await findSession(token, later)).toBeUndefined()
  })

  it.each<[string, string, () => unknown]>([
    ['is not there', 'not-found', () => renameSync(file, `${file}.away`)],
    ['is a text', 'damaged', () => writeFileSync(file, 'Dear diary '.repeat(100))],
    ['is cut off', 'damaged', () => writeFileSync(file, readFileSync(file).subarray(0, 30_000))],
    ['has a damaged page', 'damaged', () => writeFileSync(file, readFileSync(file).fill(255, 8192, 8300))],
  ])('rejects a backup that %s, and changes nothing', async (_, code, damage) => {
    damage()
    await expect(restore()).rejects.toMatchObject({ code, message: expect.stringContaining(file) })
    expect(await names()).toEqual(['Ana Cole', 'Ben Cole'])
    expect(leftovers()).toEqual([])
    expect(existsSync(`${target}.before-restore-2025-01-05T14-00-00.000Z`)).toBe(false)
  })

  it('rejects a database of another program, the database itself, and a newer version', async () => {
    const other = join(database.folder, 'other.db')
    changeFile(other, 'CREATE TABLE recipes (name)')
    await expect(restore({ file: other })).rejects.toMatchObject({
      code: 'configuration',
      message: `${other} is not a backup of this site. Try another one.`,
    })
    await expect(restore({ file: target })).rejects.toMatchObject({
      message: `${target} is the database itself. Give the file of a backup.`,
    })
    makeNewer(file)
    await expect(restore()).rejects.toMatchObject({
      code: 'configuration',
      message: 'This database was written by a newer version. Update the site; the database was not changed.',
    })
  })
})
