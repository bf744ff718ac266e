import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ask, type Site } from '#site/scenarios/fixtures.ts'
import { localEnvironment, root } from '../../../scripts/local-node.mjs'
import { startBuiltServer } from '../../../scripts/testing/built-server.mjs'

let folder: string
let settings: Record<string, string>
let site: Site | undefined
const eventually = (look: () => unknown) => vi.waitFor(look, { interval: 100, timeout: 20_000 })

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rsvp-drill-'))
  settings = { DATABASE_URL: `file:${join(folder, 'rsvp.db')}`, BACKUP_DIR: join(folder, 'backups') }
})
afterEach(async () => {
  await site?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Copies go to another folder from now on. */
function sendCopies(): string {
  const words = ['init', '--backup-key', join(folder, 'identity.txt'), '--quiet']
  const printed = execFileSync(join(root, 'cli', 'rsvp'), words, { env: localEnvironment(settings), encoding: 'utf8' })
  for (const [, name = '', value = ''] of printed.matchAll(/^([A-Z_]+)=(.+)$/gm)) settings[name] = value
  settings.BACKUP_COPY_TO = join(folder, 'away')
  return settings.BACKUP_COPY_TO
}

async function start(): Promise<Site> {
  site = await startBuiltServer(settings)
  return site
}

function inDatabase<Result>(look: (rows: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(join(folder, 'rsvp.db'), { timeout: 5000 })
  try {
    return look(database)
  } finally {
    database.close()
  }
}

const acts = () =>
  inDatabase((rows) => rows.prepare('SELECT action FROM audit_entries ORDER BY id').all()).map(({ action }) => action)

describe('the site', () => {
  it('sends a copy of its backup and proves it, once', async () => {
    const away = sendCopies()
    const first = await start()
    await eventually(() => expect(acts()).toEqual(['backup made', 'copy sent', 'drill passed']))
    expect(readdirSync(away)).toEqual([expect.stringMatching(/^rsvp-.+\.0-0-0\.[\da-f]{32}\.db\.age$/)])
    await first.stop()
    const second = await start()
    expect((await ask(second, 'GET /share')).status).toBe(200)
    await second.stop()
    expect(acts()).toHaveLength(3)
    expect(second.output()).toMatch(/^The RSVP site is ready at \S+\n$/)
  })

  it('proves its backup where there is no other place', async () => {
    await start()
    await eventually(() => expect(acts()).toEqual(['backup made', 'drill passed']))
  })

  it('leaves the proof to others where it has no identity', async () => {
    sendCopies()
    delete settings.BACKUP_COPY_IDENTITY_FILE
    await start()
    await eventually(() => expect(acts()).toEqual(['backup made', 'copy sent']))
    await site?.stop()
    expect(acts()).toHaveLength(2)
  })

  it('says why no copy could be sent, makes no second backup for it, and sends it after the next start', async () => {
    const away = sendCopies()
    writeFileSync(away, 'no folder')
    const first = await start()
    await eventually(() => expect(first.output()).toContain('no copy of the backup could be sent'))
    expect(first.output()).toContain(`${away} is a file, not a folder`)
    await first.stop()
    rmSync(away)
    await start()
    await eventually(() => expect(acts()).toEqual(['backup made', 'copy sent', 'drill passed']))
    expect(readdirSync(String(settings.BACKUP_DIR))).toHaveLength(1)
  })

  it('makes the next drill after a month: what is damaged then is in the log and on the page of the administration', async () => {
    const away = sendCopies()
    const first = await start()
    await eventually(() => expect(acts()).toContain('drill passed'))
    expect((await ask(first, 'GET /admin')).body).not.toContain('restore drill')
    await first.stop()
    const [copy = ''] = readdirSync(away).map((name) => join(away, name))
    const bytes = readFileSync(copy)
    writeFileSync(copy, bytes.fill(0, 1000, 2000))
    inDatabase((rows) =>
      rows.exec("UPDATE audit_entries SET at = '2020-01-01T00:00:00.000Z' WHERE action = 'drill passed'"),
    )
    const second = await start()
    await eventually(() => expect(acts().at(-1)).toBe('drill failed'))
    await eventually(() =>
      expect(second.output()).toMatch(/"reason":"[^"]+\.age is damaged [^"]+","msg":"the restore drill failed"/),
    )
    const { body } = await ask(second, 'GET /admin')
    expect(body).toMatch(
      /The restore drill of [-\d]+ failed: the newest backup is damaged\. Run `npx rsvp backup verify`/,
    )
    expect(existsSync(copy)).toBe(true)
  })

  it('does not start where copies would not be encrypted', async () => {
    sendCopies()
    delete settings.BACKUP_COPY_RECIPIENT
    await expect(start()).rejects.toThrow('BACKUP_COPY_TO needs BACKUP_COPY_RECIPIENT: copies are always encrypted.')
  })
})
