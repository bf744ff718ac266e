import { type Finding, finding } from './finding.ts'
import type { Ledger, Submission } from './ledger.ts'
import type { Stored, StoredRow } from './stored.ts'

type Rules = {
  /** Whether a refusal means that nothing was stored: on a server nobody knows whether what it was asked came to pass. */
  refusedIsNotStored: boolean
}

/** Compares what is stored with what was answered. What it has seen stored has to stay from then on. */
export function judge(ledger: Ledger, stored: Stored, rules: Rules): Finding[] {
  const findings = stored.condition.map((complaint) => finding('damaged', complaint))
  const seen = new Map<string, StoredRow>()
  for (const row of stored.rows) {
    const [id, , , email] = row
    const token = email.split('@')[0] ?? ''
    const submission = ledger.submissions.get(token)
    if (submission === undefined) findings.push(finding('foreign', `nobody has sent ${JSON.stringify(row)}`))
    else if (seen.has(token)) findings.push(finding('double', `${token} is ${seen.get(token)?.[0]} and ${id}`))
    else findings.push(...judgeRow(submission, row, rules))
    seen.set(token, row)
  }
  for (const submission of ledger.submissions.values()) {
    if (!seen.has(submission.token) && (submission.ids.length > 0 || submission.storedAs !== undefined))
      findings.push(finding('lost', `${JSON.stringify(submission)} is gone`))
  }
  findings.push(...judgeDeletions(ledger, stored), ...judgeFeature(ledger, stored))
  return findings
}

function judgeRow(submission: Submission, row: StoredRow, { refusedIsNotStored }: Rules): Finding[] {
  const { token, ids, storedAs, refused, times } = submission
  const findings: Finding[] = []
  const [id] = row
  if (!isWhole(submission, row))
    findings.push(finding('half-written', `${JSON.stringify(row)} of ${JSON.stringify(submission)}`))
  if (ids.some((told) => told !== id)) findings.push(finding('lost', `${token} was told to be ${ids} and is ${id}`))
  if (storedAs !== undefined && storedAs !== id)
    findings.push(finding('double', `${token} was ${storedAs} and is now ${id}`))
  if (refusedIsNotStored && refused === times)
    findings.push(finding('foreign', `${token} was told that nothing was stored, and is ${id}`))
  submission.storedAs = id
  return findings
}

/** Exactly what was sent, with exactly its family members and roles. */
export function isWhole({ token, key, body }: Submission, [id, storedKey, ...rest]: StoredRow): boolean {
  const [name, email, message, attending, deleted, members, roles] = rest
  const sent = [
    key ?? storedKey,
    body.name,
    `${token}@chaos.example`,
    body.message,
    Number(body.attending),
    body.familyMembers.map((member) => [member.name, member.age, Number(member.attending)]),
    body.volunteerRoles,
  ]
  const found = [storedKey, name, email, message, attending, members, roles]
  return id > 0 && (deleted === 0 || deleted === 1) && JSON.stringify(sent) === JSON.stringify(found)
}

/** Deleted are those that somebody asked to delete, all that were acknowledged, and each with its line in the audit. */
function judgeDeletions(ledger: Ledger, { rows, deletions }: Stored): Finding[] {
  const findings: Finding[] = []
  const lines = new Map(deletions)
  for (const [id, , , , , , deleted] of rows) {
    const known = ledger.deletions.get(id)
    if (deleted === 1 && known === undefined) findings.push(finding('foreign', `nobody has asked to delete ${id}`))
    if (deleted === 0 && known) findings.push(finding('lost', `the deletion of ${id} is undone`))
    if (deleted === 1) ledger.deletions.set(id, true)
    const written = lines.get(String(id)) ?? 0
    if (written !== deleted)
      findings.push(finding('half-written', `${id} is ${deleted ? '' : 'not '}deleted, ${written} times in the audit`))
  }
  return findings
}

/** It is as it was switched last, and each time has its line in the audit. */
function judgeFeature(ledger: Ledger, { feature, switches }: Stored): Finding[] {
  const findings: Finding[] = []
  const { possible } = ledger.feature
  const { answered, asked } = ledger.switches
  if (!possible.has(feature)) findings.push(finding('lost', `the feature is ${feature}, which it was switched from`))
  if (switches < answered)
    findings.push(finding('half-written', `${switches} of ${answered} switches are in the audit`))
  if (switches > asked) findings.push(finding('double', `${asked} switches are ${switches} in the audit`))
  ledger.feature = { possible: new Set([feature]), doubtful: false }
  ledger.switches = { answered: switches, asked: switches }
  return findings
}
