import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type ClientRequest, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { ask, expectProblem, runRsvp, type Site } from '#site/scenarios/fixtures.ts'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { administeredSite, inSiteDatabase } from './guarded-fixtures.ts'

const folder = mkdtempSync(join(tmpdir(), 'rsvp-keeping-'))
const BACKUP_DIR = join(folder, 'backups')
mkdirSync(BACKUP_DIR)
const started = administeredSite({ BACKUP_DIR })
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))

const email = 'ana@cole.example'
const download = 'POST /api/backups/download'
const LONG_WAIT = { timeout: 30_000, interval: 100 }

let site: Site
// The site makes its first backup soon after its start: no test may meet it.
beforeAll(() => vi.waitFor(() => expect(firstBackup()).toEqual({ actor: 'site' }), LONG_WAIT))
beforeEach(() => {
  site = started()
  inSiteDatabase(site, (database) => database.exec('DELETE FROM rsvps'))
})

const change = (sql: string) => inSiteDatabase(site, (database) => database.exec(sql))
const firstBackup = () =>
  inSiteDatabase(started(), (database) =>
    database.prepare("SELECT actor FROM audit_entries WHERE action = 'backup made' ORDER BY id").get(),
  )
const lastAct = () =>
  inSiteDatabase(site, (database) => database.prepare('SELECT * FROM audit_entries ORDER BY id DESC').get())
const temporaryFiles = ({ folder }: Site) => readdirSync(folder).filter((name) => name.startsWith('.'))
const read = async (call: string, json?: unknown) => JSON.parse((await ask(site, call, { json })).body)

describe('a retention', () => {
  it('tells beforehand how many responses it would touch', async () => {
    for (const days of [10, 100, 200]) {
      await ask(site, 'POST /api/rsvp', { json: testRsvp() })
      change(`UPDATE rsvps SET created_at = datetime('now', '-${days} days') WHERE id = (SELECT max(id) FROM rsvps)`)
    }
    for (const [days, old] of [
      [3650, 0],
      [180, 1],
      [90, 2],
    ]) {
      expect(await read(`GET /api/settings?olderThan=${days}`)).toMatchObject({ old })
    }
    for (const days of ['', '0', '3651', '1.5', 'all']) {
      expectProblem(await ask(site, `GET /api/settings?olderThan=${days}`), 400)
    }
  })
})

describe('erasing for good', () => {
  it('counts what an address has sent, also what is deleted, and erases it; the address is in no log', async () => {
    for (const name of ['Ana Cole', 'Ben Cole']) await ask(site, 'POST /api/rsvp', { json: testRsvp({ name }) })
    await ask(site, 'POST /api/rsvp', { json: testRsvp({ email: 'other@cole.example' }) })
    change("UPDATE rsvps SET deleted_at = created_at WHERE name = 'Ben Cole'")
    expect(await read('POST /api/rsvps/erase', { email: 'ANA@cole.example' })).toEqual({ count: 2 })
    expect(await read('POST /api/rsvps/erase', { email, confirmed: true })).toEqual({ count: 2 })
    expect(lastAct()).toMatchObject({ administrator_id: 1, action: 'responses erased', subject: '2' })
    expect(await read('POST /api/rsvps/erase', { email })).toEqual({ count: 0 })
    expect(await read('GET /api/rsvps')).toHaveLength(1)
    expectProblem(await ask(site, 'POST /api/rsvps/erase', { json: { email: 'ana' } }), 400)
    expect(site.output()).not.toContain('cole')
  })
})

describe('a backup by hand', () => {
  it('is in the folder of the others, all of which stay, and is the last one', async () => {
    const before = readdirSync(BACKUP_DIR)
    await ask(site, 'POST /api/rsvp', { json: testRsvp() })
    const { status, body } = await ask(site, 'POST /api/backups')
    const made = JSON.parse(body)
    expect(status).toBe(201)
    expect(made).toMatchObject({ folder: BACKUP_DIR, trouble: null })
    expect(made.last).toEqual({ at: expect.any(String), file: expect.any(String), responses: 1 })
    expect(Date.parse(made.next)).toBeGreaterThan(Date.now())
    expect(readdirSync(BACKUP_DIR)).toEqual(expect.arrayContaining(before))
    expect(existsSync(made.last.file)).toBe(true)
    expect((await read('GET /api/backups')).last).toEqual(made.last)
    expect(lastAct()).toMatchObject({ administrator_id: 1, action: 'backup made' })
  })

  it('says what to set without a folder', async () => {
    const none = await startBuiltServer({})
    expect(JSON.parse((await ask(none, 'GET /api/backups')).body)).toMatchObject({ folder: null, next: null })
    const refused = await ask(none, 'POST /api/backups')
    expectProblem(refused, 404)
    expect(refused.body).toContain('set BACKUP_DIR')
    await none.stop()
  })
})

describe('the download of a backup', () => {
  it('is a database that the command restores, with everything in it', async () => {
    await ask(site, 'POST /api/rsvp', { json: testRsvp() })
    const reply = await ask(site, download)
    expect(reply).toMatchObject({ status: 200, headers: { 'content-type': 'application/octet-stream' } })
    const [, name = ''] =
      /^attachment; filename="(rsvp-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z\.db)"$/.exec(
        reply.headers['content-disposition'] ?? '',
      ) ?? []
    const subject = `${name} (responses 1)`
    expect(lastAct()).toMatchObject({ administrator_id: 1, action: 'backup downloaded', subject })
    expect(temporaryFiles(site)).toEqual([])
    writeFileSync(join(folder, name), reply.bytes)
    const here = runRsvp(site, ['backup', 'restore', join(folder, name), '--yes'])
    // Refused, because the site runs.
    await expect(here).rejects.toMatchObject({ actual: [expect.anything(), 1, null] })
    const restored = `file:${join(folder, 'restored.db')}`
    await runRsvp(restored, ['backup', 'restore', join(folder, name), '--yes'])
    await runRsvp(restored, ['export', '--out', join(folder, 'restored.csv')])
    expect(readFileSync(join(folder, 'restored.csv'), 'utf8')).toContain(email)
  })

  it('leaves nothing on the disk when the site is killed meanwhile', async () => {
    const own = await startBuiltServer({})
    const first = begin(own)
    await once(first, 'response')
    await own.kill()
    expect(temporaryFiles(own)).toEqual([])
    rmSync(own.folder, { recursive: true, force: true })
  })
})

/** Asks for a download and reads nothing of it. */
function begin({ url, headers }: Site): ClientRequest {
  const asked = request(`${url}/api/backups/download`, { method: 'POST', headers })
  asked.on('error', () => {}).end()
  return asked
}
