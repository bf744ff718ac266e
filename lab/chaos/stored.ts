import { createHmac } from 'node:crypto'
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { keyOf } from './ledger.ts'

/** id, key (as it was sent, where it is that of the visitor), name, email, message, attending, deleted, members as [name, age, attending], roles. */
export type StoredRow = [
  number,
  string,
  string,
  string,
  string | null,
  number,
  number,
  [string, string | null, number][],
  number[],
]

/** Everything that the rounds change, and what the database says of its own condition. */
export type Stored = {
  rows: StoredRow[]
  /** How often the audit says of which answer that it was deleted. */
  deletions: [subject: string, times: number][]
  feature: boolean
  /** How often the audit says that a feature was switched. */
  switches: number
  condition: string[]
}

// Written out here instead of asked through the operations, which could be wrong in the same way on both sides.
const ROWS = `
  SELECT json_group_array(json_array(id, key, name, email, message, attending, deleted_at IS NOT NULL,
    (SELECT json_group_array(json_array(name, age, attending))
      FROM (SELECT * FROM family_members WHERE rsvp_id = rsvps.id ORDER BY position)),
    (SELECT json_group_array(role_id)
      FROM (SELECT role_id FROM volunteer_signups WHERE rsvp_id = rsvps.id ORDER BY role_id))))
  FROM rsvps`
const DELETIONS = `
  SELECT json_group_array(json_array(subject, times)) FROM
    (SELECT subject, count(*) AS times FROM audit_entries WHERE action = 'response deleted' GROUP BY subject)`
const FEATURE = "SELECT enabled FROM features WHERE name = 'calendarIntegration'"
const SWITCHES = "SELECT count(*) FROM audit_entries WHERE action = 'features changed'"
const SECRET = "SELECT value FROM secrets WHERE name = 'submissions'"
const INTEGRITY = 'PRAGMA integrity_check'
const FOREIGN_KEYS = 'PRAGMA foreign_key_check'

const QUERIES = [ROWS, DELETIONS, FEATURE, SWITCHES, SECRET, INTEGRITY, FOREIGN_KEYS]

/** Reads from a copy of a database file and its journal, as a crash left them: only what is on the disk counts. */
export function storedInFile(file: string): Stored {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-chaos-copy-'))
  try {
    copyDatabase(file, folder)
    const database = new DatabaseSync(join(folder, basename(file)))
    const answers = QUERIES.map((sql) =>
      database
        .prepare(sql)
        .all()
        .map((row) => Object.values(row)),
    )
    database.close()
    return toStored(answers)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A database file that nobody writes to, with the journal that it is repaired from. */
export function copyDatabase(file: string, folder: string): void {
  for (const end of ['', '-journal']) {
    if (existsSync(file + end)) copyFileSync(file + end, join(folder, basename(file) + end))
  }
}

/** Whether a transaction was under way: an ended one leaves its journal empty. */
export function hasJournal(file: string): boolean {
  return (statSync(`${file}-journal`, { throwIfNoEntry: false })?.size ?? 0) > 0
}

/** Asks a libSQL server in its own protocol (Hrana over HTTP), past everything that is ours. */
export async function storedOnServer(url: string): Promise<Stored> {
  const requests = QUERIES.map((sql) => ({ type: 'execute', stmt: { sql } }))
  const response = await fetch(`${url}/v2/pipeline`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ requests: [...requests, { type: 'close' }] }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`The libSQL server answered ${response.status}: ${text}`)
  const { results }: { results: { type: string; response: { result: { rows: { value: unknown }[][] } } }[] } =
    JSON.parse(text)
  const answers = results.slice(0, QUERIES.length).map(({ type, response }) => {
    if (type !== 'ok') throw new Error(`The libSQL server refused to be read: ${text.slice(0, 500)}`)
    return response.result.rows.map((row) => row.map(({ value }) => value))
  })
  return toStored(answers)
}

function toStored([rows, deletions, feature, switches, secret, integrity, foreignKeys]: unknown[][][]): Stored {
  const complaints = [...(integrity ?? []), ...(foreignKeys ?? []).map((row) => ['foreign key', ...row])]
  return {
    rows: JSON.parse(String(rows?.[0]?.[0])).map((row: StoredRow) => withSentKey(row, String(secret?.[0]?.[0]))),
    deletions: JSON.parse(String(deletions?.[0]?.[0])),
    feature: Number(feature?.[0]?.[0]) === 1,
    switches: Number(switches?.[0]?.[0]),
    condition: complaints.map((row) => row.join(' ')).filter((complaint) => complaint !== 'ok'),
  }
}

/** A key is stored as an HMAC: that of its visitor is known by making it once more. */
function withSentKey([id, key, name, email, ...rest]: StoredRow, secret: string): StoredRow {
  const sent = keyOf(email.split('@')[0] ?? '')
  const digest = createHmac('sha256', secret).update(`key ${sent}`).digest('base64url')
  return [id, key === `digest ${digest}` ? sent : key, name, email, ...rest]
}
