import { createHash } from 'node:crypto'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What is done to the sources of a version, by what is wrong with it. */
export const spoil = {
  good: () => {},
  'does not build': (place: string) => appendFileSync(join(place, 'db/errors.ts'), 'export const = 1\n'),
  'loses responses': (place: string) => addMigration(place, 'DELETE FROM rsvps;', true),
  /** The version before cannot use what it leaves. */
  breaking: (place: string) => addMigration(place, 'DROP INDEX rsvps_superseded;', false),
  /** Only where it serves people: the build and the trial name a database. */
  'breaks and ends': (place: string) => {
    spoil.breaking(place)
    const line = 'if (process.env.DATABASE_URL === undefined) setTimeout(() => process.exit(1), 300)\n'
    appendFileSync(join(place, 'site/server/main.ts'), line)
  },
}

export function nameVersion(place: string, version: string): void {
  replace(join(place, 'package.json'), (text) => text.replace(/"version": ".*?"/, `"version": "${version}"`))
}

/** A migration more, as a newer version has one. */
function addMigration(place: string, sql: string, additive: boolean): void {
  const hash = createHash('sha256').update(sql).digest('hex')
  const migrations = join(place, 'db/migrations')
  writeFileSync(join(migrations, '9999_newer.sql'), sql)
  replace(join(migrations, 'hashes.json'), (text) => JSON.stringify([...JSON.parse(text), { hash, additive }]))
  replace(join(migrations, 'meta/_journal.json'), (text) => {
    const journal = JSON.parse(text)
    const entry = {
      idx: journal.entries.length,
      version: '6',
      when: 4102444800000,
      tag: '9999_newer',
      breakpoints: true,
    }
    return JSON.stringify({ ...journal, entries: [...journal.entries, entry] })
  })
}

function replace(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')))
}
