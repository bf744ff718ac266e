// Makes other versions of a release, and spoils some of them. They share their files by hard links, so that twenty fit on a
// disk: each change replaces a file.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ENTRY = 'builds/packed/server/entry.mjs'
const JOURNAL = 'db/migrations/meta/_journal.json'
/** The list of all migrations as the bundlers write its end, in the server and in the command. */
const LAST_MIGRATION = /([\da-f]{64}","?additive"?:(?:!0|true)\})\]/

/** What is done in the folder of a version, by what is wrong with it. */
const changes = {
  good: () => {},
  /** As most updates that change tables: the version before can use them. */
  additive: (folder) => addMigration(folder, 'ALTER TABLE rsvps ADD needs_ride integer DEFAULT false NOT NULL;', true),
  /** The version before cannot use what it leaves. */
  breaking: (folder) => addMigration(folder, 'DROP INDEX rsvps_superseded;', false),
  'does not start': (folder) => replace(folder, ENTRY, () => 'throw new Error("planted")'),
  'loses responses': (folder) => addMigration(folder, 'DELETE FROM rsvps;', true),
  'has no styles': removeStyles,
  'ends after its start': (folder) => spoilServer(folder, 'process.exit(1)'),
  'hangs after its start': (folder) => spoilServer(folder, 'for (;;);'),
}

/** Makes a version of the release in the folder `base`. */
export function makeVersion(base, folder, version, kind) {
  spawnSync('cp', ['--archive', '--link', base, folder])
  replace(folder, 'package.json', (text) => text.replace(/"version": ".*?"/, `"version": "${version}"`))
  changes[kind](folder)
}

function replace(folder, name, change) {
  const file = join(folder, name)
  const text = readFileSync(file, 'utf8')
  rmSync(file)
  writeFileSync(file, change(text))
}

/** Only where it serves people: a trial on a copy of the database does not show it. */
function spoilServer(folder, line) {
  replace(
    folder,
    ENTRY,
    (text) => `${text}\nif (!process.env.DATABASE_URL?.includes('/trial/')) setTimeout(() => { ${line} }, 100)\n`,
  )
}

function removeStyles(folder) {
  const assets = join(folder, 'builds/packed/client/assets')
  for (const name of readdirSync(assets)) if (/\.css/.test(name)) rmSync(join(assets, name))
}

/** A migration more, as a newer version has one. */
function addMigration(folder, sql, additive) {
  const hash = createHash('sha256').update(sql).digest('hex')
  const tag = `9999_${hash.slice(0, 8)}`
  writeFileSync(join(folder, 'db/migrations', `${tag}.sql`), sql)
  replace(folder, JOURNAL, (text) => {
    const journal = JSON.parse(text)
    const entry = { idx: journal.entries.length, version: '6', when: 4102444800000, tag, breakpoints: true }
    return JSON.stringify({ ...journal, entries: [...journal.entries, entry] })
  })
  const programs = join(folder, 'builds/packed')
  let changed = 0
  for (const name of readdirSync(programs, { recursive: true }).map(String)) {
    if (!/\.m?js$/.test(name) || !LAST_MIGRATION.test(wholeLines(readFileSync(join(programs, name), 'utf8')))) continue
    replace(programs, name, (text) =>
      wholeLines(text).replace(LAST_MIGRATION, `$1,${JSON.stringify({ hash, additive })}]`),
    )
    changed += 1
  }
  if (changed !== 2) throw new Error(`The list of migrations is in ${changed} programs of this release, not in two.`)
}

/** The build breaks long lines inside of texts, too. */
function wholeLines(text) {
  return text.replaceAll('\\\n', '')
}
