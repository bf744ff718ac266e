import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export type StoredRow = {
  id: number
  name: string
  email: string
  phone: string | null
  message: string | null
  attending: number
  deleted: number
  familyMembers: { name: string; age: string | null; attending: number }[]
  volunteerRoles: number[]
}

/** `complaints` are those of SQLite's checks of integrity and foreign keys. */
export type Stored = { rows: StoredRow[]; complaints: string[] }

// In SQL instead of our own operations: these may contain the very bug that is looked for.
const EVERYTHING = `
  SELECT json_object(
    'rows', json((SELECT json_group_array(json_object('id', id, 'name', name, 'email', email, 'phone', phone,
      'message', message, 'attending', attending, 'deleted', deleted_at IS NOT NULL,
      'familyMembers', json((SELECT json_group_array(json_object('name', name, 'age', age, 'attending', attending))
        FROM (SELECT * FROM family_members WHERE rsvp_id = rsvps.id ORDER BY position))),
      'volunteerRoles', json((SELECT json_group_array(role_id)
        FROM (SELECT role_id FROM volunteer_signups WHERE rsvp_id = rsvps.id ORDER BY role_id))))) FROM rsvps)),
    'complaints', json((SELECT json_group_array(complaint) FROM (
      SELECT integrity_check AS complaint FROM pragma_integrity_check WHERE integrity_check <> 'ok'
      UNION ALL SELECT format('foreign key of %s, row %d', "table", rowid) FROM pragma_foreign_key_check))))`

/** Reads from a copy of a database file and its journal, as a crash left them: only what is on the disk counts. */
export function storedInFile(file: string): Stored {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-lab-copy-'))
  const copy = join(folder, 'rsvp.db')
  for (const end of ['', '-journal']) if (existsSync(file + end)) copyFileSync(file + end, copy + end)
  using database = new DatabaseSync(copy)
  const [text] = Object.values(database.prepare(EVERYTHING).get() ?? {})
  rmSync(folder, { recursive: true })
  return JSON.parse(String(text))
}

/** Reads from a libSQL server in its own protocol (Hrana over HTTP), without any of our code. */
export async function storedOnServer(url: string): Promise<Stored> {
  const requests = [{ type: 'execute', stmt: { sql: EVERYTHING } }, { type: 'close' }]
  const reply = await fetch(`${url}/v2/pipeline`, { method: 'POST', body: JSON.stringify({ requests }) })
  const text = await reply.text()
  const value = reply.ok ? JSON.parse(text).results[0].response?.result?.rows[0][0].value : undefined
  if (value === undefined) throw new Error(`The libSQL server replied ${reply.status}: ${text.slice(0, 500)}`)
  return JSON.parse(value)
}
