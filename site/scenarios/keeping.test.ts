import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ask, runRsvp, type Site } from '#site/scenarios/fixtures.ts'
import { testRsvp } from '#testing/database-fixtures.ts'
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

const firstBackup = () =>
  inSiteDatabase(started(), (database) =>
    database.prepare("SELECT actor FROM audit_entries WHERE action = 'backup made' ORDER BY id").get(),
  )
const lastAct = () =>
  inSiteDatabase(site, (database) => database.prepare('SELECT * FROM audit_entries ORDER BY id DESC').get())
const temporaryFiles = ({ folder }: Site) => readdirSync(folder).filter((name) => name.startsWith('.'))

describe('the download of a backup', () => {
  it('is a database that the command restores, with everything in it', async () => {
    await ask(site, 'POST /api/rsvp', { json: testRsvp() })
    const reply = await ask(site, download)
    expect(reply).toMatchObject({ status: 200, headers: { 'content-type': 'application/octet-stream' } })
    const [, name = ''] =
      /^attachment; filename="(rsvp-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z\.db)"$/.exec(
        reply.headers['content-disposition'] ?? '',
      ) ?? []
    expect(lastAct()).toMatchObject({ administrator_id: 1, action: 'backup downloaded', subject: name })
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
})
