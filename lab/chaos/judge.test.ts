import { describe, expect, it } from 'vitest'
import { judge } from './judge.ts'
import { Ledger, type Submission } from './ledger.ts'
import { Random } from './random.ts'
import type { Stored, StoredRow } from './stored.ts'

/** Three answers: acknowledged as 1, as 2 and then deleted, and not answered. */
function madeLedger(): { ledger: Ledger; stored: Stored } {
  const ledger = new Ledger()
  const random = new Random(1)
  const [first, second, third] = [1, 2, 3].map(() => ({ ...ledger.newSubmission(random), times: 1 }))
  if (first === undefined || second === undefined || third === undefined) throw new Error('There are three.')
  for (const submission of [first, second, third]) ledger.submissions.set(submission.token, submission)
  ledger.stored(first, 1)
  ledger.stored(second, 2)
  ledger.askToDelete(2)
  ledger.deletions.set(2, true)
  const rows = [rowOf(first, 1), rowOf(second, 2, 1)]
  return { ledger, stored: { rows, deletions: [['2', 1]], feature: true, switches: 0, condition: [] } }
}

function rowOf({ token, key, body }: Submission, id: number, deleted = 0): StoredRow {
  const { name, email, message, attending, familyMembers, volunteerRoles } = body
  const members = familyMembers.map((one): [string, string | null, number] => [
    one.name,
    one.age,
    Number(one.attending),
  ])
  return [id, key ?? token, name, email, message, Number(attending), deleted, members, Array.from(volunteerRoles)]
}

function submissionOf(ledger: Ledger, number: number): Submission {
  const submission = ledger.submissions.get(`visitor-${number}`)
  if (submission === undefined) throw new Error('There is none.')
  return submission
}

function kindsOf(ledger: Ledger, stored: Stored, refusedIsNotStored = true): string[] {
  const findings = [...judge(ledger, stored, { refusedIsNotStored }), ...ledger.findings]
  return Array.from(new Set(findings.map(({ kind }) => kind)))
}

describe('judging what is stored', () => {
  it('finds nothing where everything is as it was answered', () => {
    const { ledger, stored } = madeLedger()
    expect(kindsOf(ledger, stored)).toEqual([])
  })

  it('lets what was not answered be stored, which then has to stay', () => {
    const { ledger, stored } = madeLedger()
    const more = { ...stored, rows: [...stored.rows, rowOf(submissionOf(ledger, 3), 3)] }
    expect(kindsOf(ledger, more)).toEqual([])
    expect(kindsOf(ledger, stored)).toEqual(['lost'])
  })

  it.each<[string, string, (stored: Stored, ledger: Ledger) => void]>([
    ['an acknowledged answer that is gone', 'lost', ({ rows }) => rows.shift()],
    ['an answer under another number than it was told', 'lost', ({ rows: [row] }) => row?.splice(0, 1, 7)],
    ['an answer with a role too many', 'half-written', ({ rows: [row] }) => row?.[8].push(99)],
    ['an answer with a member too many', 'half-written', ({ rows: [row] }) => row?.[7].push(['Eve', null, 1])],
    ['an answer that is there twice', 'double', ({ rows }, ledger) => rows.push(rowOf(submissionOf(ledger, 1), 4))],
    ['an answer that was told two numbers', 'double', (_, ledger) => ledger.stored(submissionOf(ledger, 1), 4)],
    ['a row of nobody', 'foreign', ({ rows: [row] }) => row?.splice(3, 1, 'eve@chaos.example')],
    ['a deletion that is undone', 'lost', ({ rows: [, row] }) => row?.splice(6, 1, 0)],
    ['a deletion of nobody', 'foreign', ({ rows: [row] }) => row?.splice(6, 1, 1)],
    ['a deletion without its line in the audit', 'half-written', ({ deletions }) => deletions.pop()],
    ['what the database says of itself', 'damaged', ({ condition }) => condition.push('row 1 missing from index')],
  ])('finds %s', (_what, kind, breakIt) => {
    const { ledger, stored } = madeLedger()
    breakIt(stored, ledger)
    expect(kindsOf(ledger, stored)).toContain(kind)
  })

  it('finds a feature that is as it was before, and a switch that is written twice', () => {
    const { ledger, stored } = madeLedger()
    ledger.askToSwitch(false)
    ledger.switched(false, true)
    expect(kindsOf(ledger, { ...stored, switches: 1 })).toEqual(['lost'])
    expect(kindsOf(ledger, { ...stored, switches: 2 })).toEqual(['double'])
  })

  it('finds what was refused and is stored, where a refusal says that it is not', () => {
    const { ledger, stored } = madeLedger()
    const refused = submissionOf(ledger, 3)
    refused.refused = 1
    const more = { ...stored, rows: [...stored.rows, rowOf(refused, 3)] }
    expect(kindsOf(ledger, more, false)).toEqual([])
    expect(kindsOf(ledger, more, true)).toEqual(['foreign'])
  })
})
