import { isDeepStrictEqual } from 'node:util'
import type { Finding, Ledger, RsvpBody, SentRsvp } from './ledger.ts'
import type { Stored, StoredRow } from './stored.ts'

/**
 * Compares what is stored with what was acknowledged. From then on, each RSVP that was found has to stay as it is.
 * @param refusedIsNotStored Whether a refusal means that nothing was stored: a lost libSQL server may have stored it.
 */
export function judge(ledger: Ledger, stored: Stored, refusedIsNotStored = true): Finding[] {
  const findings: Finding[] = stored.complaints.map((text) => ({ kind: 'damaged', text }))
  const seen = new Set<string>()
  for (const row of stored.rows) {
    const [token = ''] = row.email.split('@')
    const rsvp = ledger.rsvps.get(token)
    if (rsvp === undefined) findings.push({ kind: 'foreign', text: `no client has sent ${JSON.stringify(row)}` })
    else if (seen.has(token)) findings.push({ kind: 'double', text: `${token} is ${rsvp.id} and ${row.id}` })
    else findings.push(...judgeRow(rsvp, row, refusedIsNotStored))
    seen.add(token)
  }
  for (const rsvp of ledger.rsvps.values())
    if (!seen.has(rsvp.token) && rsvp.id !== undefined)
      findings.push({ kind: 'lost', text: `${JSON.stringify(rsvp)} is gone` })
  return findings
}

function judgeRow(rsvp: SentRsvp, row: StoredRow, refusedIsNotStored: boolean): Finding[] {
  const { token, refused, times, withdrawn } = rsvp
  const { id, deleted } = row
  const findings: Finding[] = []
  const found = rsvp.versions.filter((version) => isDeepStrictEqual(row, { ...asStored(version), id, deleted }))
  if (found.length === 0)
    findings.push({ kind: 'half-written', text: `${JSON.stringify(row)} of ${JSON.stringify(rsvp)}` })
  if ((rsvp.id ?? id) !== id) findings.push({ kind: 'lost', text: `${token} was ${rsvp.id} and is ${id}` })
  if (refusedIsNotStored && refused === times)
    findings.push({ kind: 'foreign', text: `${token} was refused each time, and is stored as ${id}` })
  if (deleted === 1 && withdrawn === undefined)
    findings.push({ kind: 'foreign', text: `no client has asked to withdraw ${token}` })
  if (deleted === 0 && withdrawn === 'acknowledged')
    findings.push({ kind: 'lost', text: `the withdrawal of ${token} is undone` })
  rsvp.id = id
  rsvp.versions = found.slice(0, 1)
  if (deleted === 1) rsvp.withdrawn = 'acknowledged'
  return findings
}

/** @internal As SQLite keeps it: 1 and 0 for true and false. */
export function asStored({ familyMembers, attending, ...body }: RsvpBody): Omit<StoredRow, 'id' | 'deleted'> {
  return {
    ...body,
    attending: Number(attending),
    familyMembers: familyMembers.map((member) => ({ ...member, attending: Number(member.attending) })),
  }
}
