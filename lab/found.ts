import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { localEnvironment, root } from '../scripts/local-node.mjs'
import { run } from '../scripts/run.mjs'
import type { Sent } from './answers.ts'

const command = join(root, 'cli', 'rsvp')

/** Who was sent, and who of them had been told that it is stored, at one moment. */
export type Promised = { sent: ReadonlyMap<string, Sent>; acknowledged: ReadonlyMap<string, number> }
/** Each is a sentence. */
export type Findings = { lost: string[]; wrong: string[] }

/**
 * What is wrong with the database on a disk after a power cut, opened as the site opens it: by its own code, in a
 * process of its own, which brings back what was half written.
 */
export async function findIn(file: string, promised: Promised): Promise<Findings> {
  // The site's first start may not have come so far.
  if (!existsSync(file) && promised.acknowledged.size === 0) return { lost: [], wrong: [] }
  const { code, output } = await run(command, ['list', '--json'], localEnvironment({ DATABASE_URL: `file:${file}` }))
  if (code !== 0) return { ...compare([], promised), wrong: [`the database does not open: ${output.trim()}`] }
  const compared = compare(JSON.parse(output), promised)
  return { ...compared, wrong: [...damage(file), ...compared.wrong] }
}

/** Every acknowledged answer is there; whatever is there was sent, and is there once and whole. */
export function compare(stored: StoredRsvp[], { sent, acknowledged }: Promised): Findings {
  const ids = new Map(stored.map(({ name, id }) => [name, id]))
  const lost = Array.from(acknowledged)
    .filter(([name, id]) => ids.get(name) !== id)
    .map(([name, id]) => `${name} was told ${id}, and is ${ids.get(name) ?? 'not there'}`)
  const wrong = stored
    .filter((response) => !isDeepStrictEqual(asSent(response), sent.get(response.name)))
    .map((response) => `${response.name} is not as it was sent: ${JSON.stringify(response)}`)
  if (ids.size < stored.length) wrong.push(`${stored.length - ids.size} answers are there more than once`)
  return { lost, wrong }
}

function asSent({ name, email, phone, message, attending, familyMembers, volunteerSignups }: StoredRsvp): Sent {
  const volunteerRoles = volunteerSignups.map(({ role }) => role.id).sort((a, b) => a - b)
  return { name, email, phone, message, attending, familyMembers, volunteerRoles }
}

/** With another SQLite than the site's, once the site's has closed the file. */
function damage(file: string): string[] {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return ['integrity_check', 'foreign_key_check']
      .flatMap((check) => database.prepare(`PRAGMA ${check}`).all())
      .map((row) => JSON.stringify(row))
      .filter((row) => row !== '{"integrity_check":"ok"}')
      .map((row) => `the file is damaged: ${row}`)
  } finally {
    database.close()
  }
}
