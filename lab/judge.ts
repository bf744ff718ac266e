import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { localEnvironment, root } from '../scripts/local-node.mjs'
import { run } from '../scripts/run.mjs'
import { type Finding, type Ledger, type RsvpBody, type SentRsvp, tokenOf } from './ledger.ts'
import { type Stored, type StoredRow, storedInFile } from './stored.ts'

/** What is stored if the site was stopped before it had created its file. */
const EMPTY: Stored = { rows: [], deletions: [], complaints: [] }

type Rules = {
  /** Whether a refusal means that nothing was stored. A lost libSQL server may have stored what the site refuses. */
  refusedIsNotStored: boolean
  withoutDeleted?: boolean
}

/**
 * Judges a database file as a power cut or a backup has left it. `rsvp list` opens it first, as the site would: with our
 * own code in a process of its own, which recovers an unfinished transaction.
 */
export async function examine(file: string, ledger: Ledger): Promise<Finding[]> {
  const rules = { refusedIsNotStored: true }
  if (!existsSync(file)) return judge(ledger, EMPTY, rules)
  const words = ['list', '--week', 'all', '--json']
  const environment = localEnvironment({ DATABASE_URL: `file:${file}` })
  const { code, output } = await run(join(root, 'cli', 'rsvp'), words, environment)
  if (code !== 0) {
    const text = `the database does not open: ${output.trim()}`
    return [{ kind: 'damaged', text }, ...judge(ledger, EMPTY, rules)]
  }
  const stored = storedInFile(file)
  const listed: { id: number }[] = JSON.parse(output)
  const shown = new Set(listed.map(({ id }) => id))
  const findings = judge(ledger, stored, rules)
  if (shown.size !== stored.rows.length || stored.rows.some(({ id }) => !shown.has(id)))
    findings.push({ kind: 'lost', text: `rsvp list shows ${listed.length} of ${stored.rows.length} RSVPs` })
  return findings
}

/** Compares what is stored with what was acknowledged. From then on, each RSVP that was found has to stay. */
export function judge(ledger: Ledger, stored: Stored, rules: Rules): Finding[] {
  const findings: Finding[] = stored.complaints.map((text) => ({ kind: 'damaged', text }))
  const seen = new Map<string, StoredRow>()
  for (const row of stored.rows) {
    const token = tokenOf(row.email)
    const rsvp = ledger.rsvps.get(token)
    if (rsvp === undefined) findings.push({ kind: 'foreign', text: `no client has sent ${JSON.stringify(row)}` })
    else if (seen.has(token))
      findings.push({ kind: 'double', text: `${token} is ${seen.get(token)?.id} and ${row.id}` })
    else findings.push(...judgeRow(rsvp, row, rules))
    seen.set(token, row)
  }
  for (const rsvp of ledger.rsvps.values()) {
    if (rules.withoutDeleted && ledger.isAskedToDelete(rsvp)) continue
    if (!seen.has(rsvp.token) && (rsvp.ids.length > 0 || rsvp.storedAs !== undefined))
      findings.push({ kind: 'lost', text: `${JSON.stringify(rsvp)} is gone` })
  }
  for (const { rsvps, acknowledged } of ledger.imports) {
    const found = rsvps.filter(({ token }) => seen.has(token)).length
    if (found === rsvps.length || (found === 0 && !acknowledged)) continue
    findings.push({
      kind: acknowledged ? 'lost' : 'half-written',
      text: `${found} of ${rsvps.length} imported RSVPs are there`,
    })
  }
  findings.push(...judgeDeletions(ledger, stored))
  return findings
}

function judgeRow(rsvp: SentRsvp, row: StoredRow, { refusedIsNotStored }: Rules): Finding[] {
  const { token, ids, storedAs, refused, times } = rsvp
  const { id } = row
  const findings: Finding[] = []
  if (!isWhole(rsvp, row))
    findings.push({ kind: 'half-written', text: `${JSON.stringify(row)} of ${JSON.stringify(rsvp)}` })
  if (ids.some((other) => other !== id))
    findings.push({ kind: 'lost', text: `${token} was acknowledged as ${ids} and is ${id}` })
  if (storedAs !== undefined && storedAs !== id)
    findings.push({ kind: 'double', text: `${token} was ${storedAs} and is now ${id}` })
  if (refusedIsNotStored && refused === times)
    findings.push({ kind: 'foreign', text: `${token} was refused each time, and is stored as ${id}` })
  rsvp.storedAs = id
  // From now on it stays as it was found, until it is changed again.
  rsvp.versions = rsvp.versions.filter((version) => isVersion(row, version))
  rsvp.oldest = 0
  rsvp.doubtful = false
  return findings
}

/** Whether a row has exactly the values of a version that it may be, with exactly its family members and roles. */
function isWhole({ key, versions, oldest }: SentRsvp, row: StoredRow): boolean {
  const { id, key: storedKey, deleted } = row
  const isKey = key === undefined || key === storedKey
  const isOne = versions.slice(oldest).some((version) => isVersion(row, version))
  return id > 0 && isKey && (deleted === 0 || deleted === 1) && isOne
}

function isVersion({ id: _id, key: _key, deleted: _deleted, ...found }: StoredRow, version: RsvpBody): boolean {
  return isDeepStrictEqual(found, asStored(version))
}

/** As SQLite keeps it: 1 and 0 for true and false. */
function asStored({ familyMembers, attending, ...body }: RsvpBody): Omit<StoredRow, 'id' | 'key' | 'deleted'> {
  return {
    ...body,
    attending: Number(attending),
    familyMembers: familyMembers.map((member) => ({ ...member, attending: Number(member.attending) })),
  }
}

/** A deletion was asked for, stays once it is acknowledged, and has one line in the audit. */
function judgeDeletions(ledger: Ledger, { rows, deletions }: Stored): Finding[] {
  const findings: Finding[] = []
  const lines = new Map(deletions)
  for (const { id, deleted } of rows) {
    const known = ledger.deletions.get(id)
    if (deleted === 1 && known === undefined)
      findings.push({ kind: 'foreign', text: `no client has asked to delete ${id}` })
    if (deleted === 0 && known) findings.push({ kind: 'lost', text: `the deletion of ${id} is undone` })
    if (deleted === 1) ledger.deletions.set(id, true)
    const audited = lines.get(String(id)) ?? 0
    if (audited !== deleted)
      findings.push({
        kind: 'half-written',
        text: `${id} is ${deleted ? '' : 'not '}deleted, ${audited} times in the audit`,
      })
  }
  return findings
}
