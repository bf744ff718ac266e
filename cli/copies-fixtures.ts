import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeAll, expect } from 'vitest'
import { inDatabase, rsvp, testResponses } from './fixtures.ts'

/** A database of 30 responses whose backups are copied to another folder. */
export function testCopies() {
  const { folder, url } = testResponses(30)
  const [backups, away, identity] = ['backups', 'away', 'identity.txt'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const env: Record<string, string> = { BACKUP_DIR: backups, BACKUP_COPY_TO: away }
  const run = (words: string[], variables = {}) => rsvp(url, ['backup', ...words], { env: { ...env, ...variables } })
  const makeKey = (file: string) => rsvp(url, ['init', '--backup-key', file], { env })
  const copies = () => readdirSync(away).map((name) => join(away, name))

  beforeAll(async () => {
    const { stdout } = await makeKey(identity)
    for (const [, name = '', value = ''] of stdout.matchAll(/^([A-Z_]+)=(.+)$/gm)) env[name] = value
  })
  afterEach(() => {
    for (const path of [backups, away]) rmSync(path, { recursive: true, force: true })
    inDatabase(url, (rows) => rows.exec('DELETE FROM audit_entries'))
  })

  return {
    folder,
    url,
    backups,
    away,
    identity,
    /** The settings. */
    env,
    run,
    makeKey,
    /** The paths of the copies. */
    copies,
    /** The path of an identity without the key that proves copies. */
    withoutKey: () => {
      const bare = join(folder, 'bare.txt')
      writeFileSync(bare, readFileSync(identity, 'utf8').replace(/^#.*\n/gm, ''))
      return bare
    },
    /** What is left of temporary files beside the database. */
    leftovers: () => readdirSync(dirname(url.slice('file:'.length))).filter((name) => name.endsWith('.tmp')),
    /** The acts in the audit with their subjects, the oldest first. */
    audit: () =>
      inDatabase(url, (rows) => rows.prepare('SELECT action, subject FROM audit_entries ORDER BY id').all()).map(
        ({ action, subject }) => `${action} ${subject}`,
      ),
    /** Makes a backup and returns its copy. */
    backUp: async () => {
      expect(await run([])).toMatchObject({ code: 0, stderr: '' })
      return copies().toSorted().at(-1) ?? ''
    },
  }
}

/** Gives a copy a name as the first versions made them, which had no mark. */
export function renameUnmarked(copy: string, change: (name: string) => string): string {
  const name = change(copy.replace(/\.[\da-f]{32}\./, '.'))
  renameSync(copy, name)
  return name
}

/** Changes bits in the middle of a file. */
export function damage(file: string): void {
  const bytes = readFileSync(file)
  const at = Math.floor(bytes.length / 2)
  for (let each = at; each < at + 5000; each++) bytes[each] = (bytes[each] ?? 0) ^ 1
  writeFileSync(file, bytes)
}
