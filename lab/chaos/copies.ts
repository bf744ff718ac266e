import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { type Finding, finding } from '../finding.ts'
import { isWhole } from '../judge.ts'
import type { Ledger, Promises } from '../ledger.ts'
import type { SentRsvp } from '../sent-rsvp.ts'
import { storedInFile } from '../stored.ts'

/** Whether a copy has all of an RSVP; undefined where it does not have it, or has it as deleted. */
type Look = (rsvp: SentRsvp, id: number) => boolean | undefined

/**
 * Judges the folder into which a command has written its copy. After success it holds a copy with everything that was
 * promised before the command began; otherwise such a copy or nothing. Only after kill -9 may an unfinished file stay.
 */
export function judgeCopy(
  folder: string,
  code: number | null,
  open: (file: string) => Look,
  promises: Promises,
  ledger: Ledger,
): Finding[] {
  const findings: Finding[] = []
  const complain = (text: string) => void findings.push(finding('bad copy', `after ${code ?? 'kill -9'}: ${text}`))
  const names = readdirSync(folder)
  const unfinished = names.filter((name) => name.startsWith('.'))
  const [finished] = names.filter((name) => !name.startsWith('.'))
  if (code !== null && unfinished.length > 0) complain(`${unfinished} is still there`)
  if (code === 0 && finished === undefined) complain('there is no copy')
  if (finished === undefined) return findings
  try {
    const look = open(join(folder, finished))
    for (const text of brokenPromises(look, promises, ledger)) complain(text)
  } catch (error) {
    complain(`${finished} cannot be read: ${error}`)
  }
  return findings
}

function brokenPromises(look: Look, { kept, gone }: Promises, ledger: Ledger): string[] {
  const broken: string[] = []
  for (const rsvp of kept) {
    const [id = 0] = rsvp.ids
    const whole = look(rsvp, id)
    // A client has asked to delete it since: it may be there or not, but not half of it.
    if (whole === undefined && ledger.deletions.has(id)) continue
    if (!whole) broken.push(`${id} is ${whole === undefined ? 'missing' : 'not whole'}: ${rsvp.token}`)
  }
  for (const rsvp of gone) {
    const [id = 0] = rsvp.ids
    if (look(rsvp, id) !== undefined) broken.push(`${id} is there, and was deleted before: ${rsvp.token}`)
  }
  return broken
}

/** The JSON of `rsvp export`. */
export function openExport(file: string): Look {
  const responses: StoredRsvp[] = JSON.parse(readFileSync(file, 'utf8'))
  const byId = new Map(responses.map((response) => [response.id, response]))
  return ({ versions, oldest }, id) => {
    const response = byId.get(id)
    if (response === undefined) return undefined
    const { name, email, phone, message, attending, familyMembers } = response
    const volunteerRoles = response.volunteerSignups.map(({ role }) => role.id).sort((a, b) => a - b)
    const exported = { name, email, phone, message, attending, familyMembers, volunteerRoles }
    return versions.slice(oldest).some((version) => isDeepStrictEqual(exported, version))
  }
}

/** The database of `rsvp backup`. */
export function openBackup(file: string): Look {
  const { rows, complaints } = storedInFile(file)
  if (complaints.length > 0) throw new Error(complaints.join(', '))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return (rsvp, id) => {
    const row = byId.get(id)
    return row === undefined || row.deleted === 1 ? undefined : isWhole(rsvp, row)
  }
}
