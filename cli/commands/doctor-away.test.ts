import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { freePort } from '../../scripts/testing/free-port.mjs'
import { inDatabase, makeDatabase, rsvp, testFolder, testResponses } from '../fixtures.ts'

type Finding = { name: string; ok: boolean; text: string }

const { folder } = testFolder()
const few = testResponses(3)

/** What is wrong, by its name. */
async function wrongIn(file: string, changes: Record<string, string> = {}): Promise<Record<string, string>> {
  const plain = { HOST: '', PORT: String(await freePort()), PUBLIC_URL: '', RSVP_ACCESS: '', BACKUP_DIR: '' }
  const { stdout } = await rsvp(`file:${file}`, ['doctor', '--json', '--quiet'], { env: { ...plain, ...changes } })
  const findings: Finding[] = JSON.parse(stdout)
  // Where it is not what a test is about, no site is running.
  const others = findings.filter(({ text }) => !text.startsWith('No site is running'))
  return Object.fromEntries(others.map(({ name, text }) => [name, text]))
}

describe('rsvp doctor, where something is not there', () => {
  it('names the backup to bring back where the database is missing or none', async () => {
    const file = join(folder, 'rsvp.db')
    const BACKUP_DIR = join(folder, 'my backups')
    await makeDatabase(`file:${file}`)
    const made = await rsvp(`file:${file}`, ['backup', '--json', '--create-folder', '--out', BACKUP_DIR])
    const root = "SELECT (rootpage - 1) * 4096 AS start FROM sqlite_schema WHERE name = 'audit_entries'"
    const page = inDatabase(`file:${file}`, (database) => database.prepare(root).get())
    const bytes = readFileSync(file)
    rmSync(file)
    const command = `npx rsvp backup restore '${JSON.parse(made.stdout).file}'`
    const todo = `Stop the site and restore a backup: ${command}`
    expect(await wrongIn(file, { BACKUP_DIR })).toEqual({ Database: `There is no database at ${file}. ${todo}` })
    expect(existsSync(file)).toBe(false)
    // Where it does not tell any more when it was saved.
    bytes.fill(255, Number(page?.start), Number(page?.start) + 4096)
    writeFileSync(file, bytes, { mode: 0o600 })
    expect((await wrongIn(file, { BACKUP_DIR })).Integrity).toMatch(new RegExp(`damaged .+${todo}$`))
    // Where it is one without a byte.
    writeFileSync(file, '', { mode: 0o600 })
    const damaged = `The database at ${file} is damaged (it is empty); nothing was changed.`
    expect(await wrongIn(file, { BACKUP_DIR })).toEqual({ Database: `${damaged} Restore a backup: ${command}` })
    expect(readFileSync(file, 'utf8')).toBe('')
    writeFileSync(file, 'Dear diary', { mode: 0o600 })
    expect((await wrongIn(file, { BACKUP_DIR })).Database).toContain(`restore a backup with \`${command}\``)
  })

  it('looks for a folder for backups, and makes none', async () => {
    const file = few.url.slice('file:'.length)
    const BACKUP_DIR = join(folder, 'not yet')
    const todo = 'start the site, which makes one every night, or run `rsvp backup`.'
    expect(await wrongIn(file, { BACKUP_DIR })).toEqual({ Backup: `There is none in ${BACKUP_DIR}: ${todo}` })
    expect(existsSync(BACKUP_DIR)).toBe(false)
    const away = await wrongIn(file, { BACKUP_DIR: join(BACKUP_DIR, 'disk') })
    expect(away.Backup).toContain(`There is no folder ${BACKUP_DIR} in which`)
  })

  it('suggests no change of permissions for a folder in place of the database', async () => {
    const file = join(folder, 'no file')
    mkdirSync(file, { mode: 0o755 })
    expect(await wrongIn(file)).toEqual({ Database: `${file} is a folder, not a database. Check DATABASE_URL.` })
  })

  it('says of a site that is not well what it says of itself', async () => {
    const site = await startBuiltServer()
    try {
      const file = join(site.folder, 'rsvp.db')
      renameSync(file, `${file}.away`)
      await vi.waitFor(async () => expect((await fetch(`${site.url}/api/health`)).status).toBe(503))
      const wrong = await wrongIn(file, { PORT: new URL(site.url).port })
      const sentence = 'The database cannot be reached at the moment. Try again in a few seconds.'
      expect(wrong.Address).toBe(`The site at ${site.url} is not well: ${sentence}`)
    } finally {
      await site.stop()
    }
  })
})
