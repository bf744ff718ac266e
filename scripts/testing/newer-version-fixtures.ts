import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyCommand } from './copy-project.mjs'
import { changeFile } from './database-fixtures.ts'

const TAG = '0001_needs_ride'
const SQL = `ALTER TABLE \`rsvps\` ADD \`needs_ride\` integer DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE \`rsvps\` SET \`needs_ride\` = \`attending\`;--> statement-breakpoint
CREATE INDEX \`rsvps_needs_ride\` ON \`rsvps\` (\`needs_ride\`);`

/** Copies the built site and command to a folder, as a version with one more migration. */
export function makeNewerVersion(place: string): void {
  copyCommand(place, ['dist/server', 'dist/client'])
  const file = join(place, 'dist/migrations/meta/_journal.json')
  const journal = JSON.parse(readFileSync(file, 'utf8'))
  journal.entries.push({ idx: 1, version: '6', when: Date.now(), tag: TAG, breakpoints: true })
  writeFileSync(file, JSON.stringify(journal))
  writeFileSync(join(place, 'dist/migrations', `${TAG}.sql`), SQL)
}

/** Makes a database look as if a future version had written it. */
export function makeNewer(file: string): void {
  changeFile(file, "INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('from the future', 9999999999999)")
}
