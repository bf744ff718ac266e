import { describe, expect, it } from 'vitest'
import { judge } from './judge.ts'
import { Ledger, type SentRsvp } from './ledger.ts'
import { Random } from './random.ts'
import type { Stored, StoredRow } from './stored.ts'

/** Three RSVPs: acknowledged as 1, acknowledged as 2 and then deleted, and without a reply. */
function madeLedger(): { ledger: Ledger; stored: Stored } {
  const ledger = new Ledger()
  const random = new Random(1)
  const [first, second, third] = [1, 2, 3].map(() => ({ ...ledger.newRsvp(random), times: 1 }))
  if (first === undefined || second === undefined || third === undefined) throw new Error('There are three.')
  for (const rsvp of [first, second, third]) ledger.rsvps.set(rsvp.token, rsvp)
  ledger.acknowledge(first, 1)
  ledger.acknowledge(second, 2)
  ledger.askToDelete(2)
  ledger.deletions.set(2, true)
  const rows = [rowOf(first, 1), rowOf(second, 2, 1)]
  return { ledger, stored: { rows, deletions: [['2', 1]], complaints: [] } }
}

function rowOf({ token, key, body }: SentRsvp, id: number, deleted = 0): StoredRow {
  const familyMembers = body.familyMembers.map((member) => ({ ...member, attending: Number(member.attending) }))
  const volunteerRoles = Array.from(body.volunteerRoles)
  return { ...body, id, key: key ?? token, attending: Number(body.attending), deleted, familyMembers, volunteerRoles }
}

/** Changes the first row, as a bug would leave it. */
function change(row: StoredRow | undefined, changes: Partial<StoredRow>): void {
  if (row === undefined) throw new Error('There is no such row.')
  Object.assign(row, changes)
}

function rsvpOf(ledger: Ledger, number: number): SentRsvp {
  const rsvp = ledger.rsvps.get(`visitor-${number}`)
  if (rsvp === undefined) throw new Error('There is no such RSVP.')
  return rsvp
}

function kindsOf(ledger: Ledger, stored: Stored, refusedIsNotStored = true): string[] {
  const findings = [...judge(ledger, stored, { refusedIsNotStored }), ...ledger.findings]
  return Array.from(new Set(findings.map(({ kind }) => kind)))
}

describe('judging what is stored', () => {
  it('finds nothing where everything is as it was acknowledged', () => {
    const { ledger, stored } = madeLedger()
    expect(kindsOf(ledger, stored)).toEqual([])
  })

  it('allows that an RSVP without a reply is stored, which then has to stay', () => {
    const { ledger, stored } = madeLedger()
    const more = { ...stored, rows: [...stored.rows, rowOf(rsvpOf(ledger, 3), 3)] }
    expect(kindsOf(ledger, more)).toEqual([])
    expect(kindsOf(ledger, stored)).toEqual(['lost'])
  })

  it.each<[string, string, (stored: Stored, ledger: Ledger) => void]>([
    ['an acknowledged RSVP that is gone', 'lost', ({ rows }) => rows.shift()],
    ['an RSVP under another id than it was acknowledged', 'lost', ({ rows: [row] }) => change(row, { id: 7 })],
    ['an RSVP with another phone', 'half-written', ({ rows: [row] }) => change(row, { phone: '555' })],
    ['an RSVP with a role too many', 'half-written', ({ rows: [row] }) => row?.volunteerRoles.push(99)],
    ['an RSVP without a role', 'half-written', ({ rows: [row] }) => row?.volunteerRoles.pop()],
    ['an RSVP without a member', 'half-written', ({ rows: [row] }) => row?.familyMembers.pop()],
    [
      'an RSVP with a member too many',
      'half-written',
      ({ rows: [row] }) => row?.familyMembers.push({ name: 'Eve', age: null, attending: 1 }),
    ],
    ['an RSVP that is stored twice', 'double', ({ rows }, ledger) => rows.push(rowOf(rsvpOf(ledger, 1), 4))],
    ['an RSVP with two ids', 'double', (_, ledger) => ledger.acknowledge(rsvpOf(ledger, 1), 4)],
    ['a row that no client sent', 'foreign', ({ rows: [row] }) => change(row, { email: 'eve@visitor.example' })],
    ['a deletion that is undone', 'lost', ({ rows: [, row] }) => change(row, { deleted: 0 })],
    ['a deletion that no client asked for', 'foreign', ({ rows: [row] }) => change(row, { deleted: 1 })],
    ['a deletion without its line in the audit', 'half-written', ({ deletions }) => deletions.pop()],
    ['a complaint of the database', 'damaged', ({ complaints }) => complaints.push('row 1 missing from index')],
  ])('finds %s', (_what, kind, breakIt) => {
    const { ledger, stored } = madeLedger()
    breakIt(stored, ledger)
    expect(kindsOf(ledger, stored)).toContain(kind)
  })

  it('takes an RSVP that was changed for its last version, and for either where that had no reply', () => {
    const { ledger, stored } = madeLedger()
    ledger.deletions.clear()
    const [first, second] = stored.rows.map((row) => ({ ...row, deleted: 0 }))
    const judged = (known: Ledger, row = first) =>
      kindsOf(known, { ...stored, deletions: [], rows: [row, second].filter((each) => each !== undefined) })
    const rsvp = rsvpOf(ledger, 1)
    const copyBegun = [ledger.snapshot(), ledger.snapshot()] as const
    const changed = rowOf({ ...rsvp, body: ledger.askToChange(rsvp, new Random(3)) }, 1)
    expect([judged(ledger.snapshot()), judged(ledger.snapshot(), changed)]).toEqual([[], []])
    ledger.changed(rsvp, true)
    expect([judged(ledger.snapshot()), judged(ledger.snapshot(), changed)]).toEqual([['half-written'], []])
    expect([judged(copyBegun[0]), judged(copyBegun[1], changed)]).toEqual([[], []])
    ledger.askToChange(rsvp, new Random(4))
    ledger.changed(rsvp, false)
    expect(judged(ledger.snapshot(), changed)).toEqual([])
  })

  it('finds an RSVP that was refused and is stored, where a refusal means that it is not', () => {
    const { ledger, stored } = madeLedger()
    const refused = rsvpOf(ledger, 3)
    refused.refused = 1
    const more = { ...stored, rows: [...stored.rows, rowOf(refused, 3)] }
    expect(kindsOf(ledger, more, false)).toEqual([])
    expect(kindsOf(ledger, more, true)).toEqual(['foreign'])
  })

  it('judges a snapshot by what was acknowledged when it was taken', () => {
    const { ledger, stored } = madeLedger()
    ledger.deletions.clear()
    const rows = stored.rows.map((row) => ({ ...row, deleted: 0 }))
    const early = ledger.snapshot()
    const late = ledger.newRsvp(new Random(2))
    late.times = 1
    ledger.acknowledge(late, 4)
    const without = { ...stored, rows, deletions: [] }
    expect(kindsOf(early, without)).toEqual([])
    expect(kindsOf(ledger.snapshot(), without)).toEqual(['lost'])
    const withLate = { ...without, rows: [...rows, rowOf(late, 4)] }
    expect(kindsOf(early, withLate)).toEqual(['foreign'])
    early.allowSentSince(ledger)
    expect(kindsOf(early, withLate)).toEqual([])
  })

  it('judges an export, which leaves out what was deleted, and nothing else', () => {
    const { ledger, stored } = madeLedger()
    const [first, second] = stored.rows
    const judged = (...rows: (StoredRow | undefined)[]) => {
      const found = {
        rows: rows.filter((row) => row !== undefined),
        deletions: [],
        complaints: [],
      }
      const findings = judge(ledger.snapshot(), found, { refusedIsNotStored: false, withoutDeleted: true })
      return findings.map(({ kind }) => kind)
    }
    expect(judged(first)).toEqual([])
    expect(judged()).toEqual(['lost'])
    expect(judged(first, second && { ...second, deleted: 0 })).toEqual(['lost'])
    const imported = [1, 2].map(() => ({ ...ledger.newRsvp(new Random(1)), times: 1 }))
    ledger.imports.push({ rsvps: imported, acknowledged: false })
    expect(judged(first, imported[0] && rowOf(imported[0], 3))).toEqual(['half-written'])
  })
})
