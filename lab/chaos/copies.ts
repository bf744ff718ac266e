import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { type Finding, finding } from './finding.ts'
import { isWhole } from './judge.ts'
import type { Ledger, Promises, Submission } from './ledger.ts'
import { storedInFile } from './stored.ts'

/** What a copy has of an answer: all of it or not; undefined where it has nothing, or has it as deleted. */
type Look = (submission: Submission, id: number) => boolean | undefined

/**
 * Looks at the folder that a command had for its copy: the one that said that it was done has left a copy with all
 * that was promised before it began, any other one the same or nothing. Only kill -9 excuses what is unfinished.
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
  if (code === 0 && finished === undefined) complain('there is none')
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
  for (const submission of kept) {
    const [id = 0] = submission.ids
    const whole = look(submission, id)
    // Deleted since, or maybe: then it may be there or not, but not half of it.
    if (whole === undefined && ledger.deletions.has(id)) continue
    if (!whole) broken.push(`of ${id} there is ${whole === undefined ? 'nothing' : 'not all'}: ${submission.token}`)
  }
  for (const submission of gone) {
    const [id = 0] = submission.ids
    if (look(submission, id) !== undefined) broken.push(`${id} is there, which was deleted before: ${submission.token}`)
  }
  return broken
}

/** The JSON of `rsvp export`. */
export function openExport(file: string): Look {
  const exported: StoredRsvp[] = JSON.parse(readFileSync(file, 'utf8'))
  const byId = new Map(exported.map((response) => [response.id, response]))
  return ({ body }, id) => {
    const response = byId.get(id)
    if (response === undefined) return undefined
    const { name, email, message, attending, familyMembers } = response
    const volunteerRoles = response.volunteerSignups.map(({ role }) => role.id)
    const found = { name, email, message, attending, familyMembers, volunteerRoles }
    return JSON.stringify(found) === JSON.stringify(body)
  }
}

/** The database of `rsvp backup`. */
export function openBackup(file: string): Look {
  const { rows, condition } = storedInFile(file)
  if (condition.length > 0) throw new Error(condition.join(', '))
  const byId = new Map(rows.map((row) => [row[0], row]))
  return (submission, id) => {
    const row = byId.get(id)
    const isDeleted = row?.[6] === 1
    return row === undefined || isDeleted ? undefined : isWhole(submission, row)
  }
}
