import { createHmac } from 'node:crypto'
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { keyOf, type RegisterName, type StoredRegister, tokenOf } from './ledger.ts'

export type StoredRow = {
  id: number
  /** As it was sent, where it is the key of that visitor; else as it is stored. */
  key: string
  name: string
  email: string
  phone: string | null
  message: string | null
  attending: number
  deleted: number
  familyMembers: { name: string; age: string | null; attending: number }[]
  volunteerRoles: number[]
}

/** Everything that clients change, and what the database reports about itself. */
export type Stored = {
  rows: StoredRow[]
  /** How often the audit has the deletion of each RSVP. */
  deletions: [subject: string, times: number][]
  /** Undefined where they are not judged. */
  registers: Record<RegisterName, StoredRegister> | undefined
  /** Of SQLite's checks of integrity and foreign keys. */
  complaints: string[]
}

// In SQL instead of our own operations: these may contain the very bug that is looked for.
const ROWS = `
  SELECT json_group_array(json_object('id', id, 'key', key, 'name', name, 'email', email, 'phone', phone,
    'message', message, 'attending', attending, 'deleted', deleted_at IS NOT NULL, 'familyMembers',
    json((SELECT json_group_array(json_object('name', name, 'age', age, 'attending', attending))
      FROM (SELECT * FROM family_members WHERE rsvp_id = rsvps.id ORDER BY position))), 'volunteerRoles',
    json((SELECT json_group_array(role_id)
      FROM (SELECT role_id FROM volunteer_signups WHERE rsvp_id = rsvps.id ORDER BY role_id)))))
  FROM rsvps`
const DELETIONS = `
  SELECT json_group_array(json_array(subject, times)) FROM
    (SELECT subject, count(*) AS times FROM audit_entries WHERE action = 'response deleted' GROUP BY subject)`
const FEATURE = "SELECT enabled FROM features WHERE name = 'calendarIntegration'"
const TURNOUT = 'SELECT max(people) FROM turnouts'
const MINUTES = 'SELECT max(duration_minutes) FROM schedules'
const CHANGES = `
  SELECT json_group_object(action, times) FROM (SELECT action, count(*) AS times FROM audit_entries GROUP BY action)`
const SECRET = "SELECT value FROM secrets WHERE name = 'submissions'"
const INTEGRITY = 'PRAGMA integrity_check'
const FOREIGN_KEYS = 'PRAGMA foreign_key_check'

const QUERIES = [ROWS, DELETIONS, FEATURE, TURNOUT, MINUTES, CHANGES, SECRET, INTEGRITY, FOREIGN_KEYS]

/** Reads from a copy of a database file and its journal, as a crash left them: only what is on the disk counts. */
export function storedInFile(file: string): Stored {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-lab-copy-'))
  try {
    copyDatabase(file, folder)
    const database = new DatabaseSync(join(folder, basename(file)))
    const results = QUERIES.map((sql) =>
      database
        .prepare(sql)
        .all()
        .map((row) => Object.values(row)),
    )
    database.close()
    return toStored(results)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Copies a database file that no process writes to, with the journal from which SQLite recovers it. */
export function copyDatabase(file: string, folder: string): void {
  for (const end of ['', '-journal']) {
    if (existsSync(file + end)) copyFileSync(file + end, join(folder, basename(file) + end))
  }
}

/** Whether a transaction was open: a finished one leaves an empty journal. */
export function hasJournal(file: string): boolean {
  return (statSync(`${file}-journal`, { throwIfNoEntry: false })?.size ?? 0) > 0
}

/** Reads from a libSQL server in its own protocol (Hrana over HTTP), without any of our code. */
export async function storedOnServer(url: string): Promise<Stored> {
  const requests = QUERIES.map((sql) => ({ type: 'execute', stmt: { sql } }))
  const reply = await fetch(`${url}/v2/pipeline`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ requests: [...requests, { type: 'close' }] }),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`The libSQL server replied ${reply.status}: ${text}`)
  const { results }: { results: { type: string; response: { result: { rows: { value: unknown }[][] } } }[] } =
    JSON.parse(text)
  return toStored(
    results.slice(0, QUERIES.length).map(({ type, response }) => {
      if (type !== 'ok') throw new Error(`The libSQL server refused a query: ${text.slice(0, 500)}`)
      return response.result.rows.map((row) => row.map(({ value }) => value))
    }),
  )
}

function toStored(results: unknown[][][]): Stored {
  const [rows, deletions, feature, turnout, minutes, changes, secret, integrity, foreignKeys] = results
  const complaints = [...(integrity ?? []), ...(foreignKeys ?? []).map((row) => ['foreign key', ...row])]
  const changesOf: Record<string, number> = JSON.parse(String(changes?.[0]?.[0]))
  const numberIn = (result: unknown[][] | undefined) => {
    const value = result?.[0]?.[0] ?? null
    return value === null ? null : Number(value)
  }
  return {
    rows: JSON.parse(String(rows?.[0]?.[0])).map((row: StoredRow) => withSentKey(row, String(secret?.[0]?.[0]))),
    deletions: JSON.parse(String(deletions?.[0]?.[0])),
    registers: {
      feature: { value: numberIn(feature) === 1, changes: changesOf['features changed'] ?? 0 },
      turnout: { value: numberIn(turnout), changes: changesOf['turnout counted'] ?? 0 },
      minutes: { value: numberIn(minutes), changes: changesOf['schedule changed'] ?? 0 },
    },
    complaints: complaints.map((row) => row.join(' ')).filter((complaint) => complaint !== 'ok'),
  }
}

/** A key is stored as an HMAC; that of its visitor is recognized by computing it again. */
function withSentKey(row: StoredRow, secret: string): StoredRow {
  const sent = keyOf(tokenOf(row.email))
  const digest = createHmac('sha256', secret).update(`key ${sent}`).digest('base64url')
  return row.key === `digest ${digest}` ? { ...row, key: sent } : row
}
