import { describe, expect, it } from 'vitest'
import { asStored, judge } from './judge.ts'
import { Ledger, type RsvpBody, type SentRsvp } from './ledger.ts'
import { Random } from './random.ts'
import type { Stored, StoredRow } from './stored.ts'

/** Three RSVPs: acknowledged as 1, acknowledged as 2 and then withdrawn, and without a reply. */
function madeLedger(): { ledger: Ledger; stored: Stored } {
  const ledger = new Ledger()
  const rsvps = [1, 2, 3].map(() => ledger.newRsvp(new Random(1)))
  for (const rsvp of rsvps) rsvp.times = 1
  const [first, second] = rsvps.slice(0, 2).map((rsvp, at) => {
    ledger.acknowledge(rsvp, at + 1)
    return rowOf(rsvp, at + 1)
  })
  rsvpOf(ledger, 2).withdrawn = 'acknowledged'
  const rows = [first, second && { ...second, deleted: 1 }].filter((row) => row !== undefined)
  return { ledger, stored: { rows, complaints: [] } }
}

function rowOf({ body }: { body: RsvpBody }, id: number): StoredRow {
  return structuredClone({ ...asStored(body), id, deleted: 0 })
}

function rsvpOf(ledger: Ledger, number: number): SentRsvp {
  const rsvp = ledger.rsvps.get(`visitor-${number}`)
  if (rsvp === undefined) throw new Error('There is no such RSVP.')
  return rsvp
}

function kindsOf(ledger: Ledger, stored: Stored, refusedIsNotStored = true): string[] {
  const findings = [...judge(ledger, stored, refusedIsNotStored), ...ledger.findings]
  return Array.from(new Set(findings.map(({ kind }) => kind)))
}

describe('judging what is stored', () => {
  it('finds nothing where all is as it was acknowledged; what had no reply may be stored, and then has to stay', () => {
    const { ledger, stored } = madeLedger()
    expect(kindsOf(ledger, stored)).toEqual([])
    const more = { ...stored, rows: [...stored.rows, rowOf(rsvpOf(ledger, 3), 3)] }
    expect(kindsOf(ledger, more)).toEqual([])
    expect(kindsOf(ledger, stored)).toEqual(['lost'])
  })

  it.each<[string, string, (stored: Stored, ledger: Ledger) => void]>([
    ['an acknowledged RSVP that is gone', 'lost', ({ rows }) => rows.shift()],
    ['an RSVP under another id', 'lost', ({ rows: [row] }) => row && Object.assign(row, { id: 7 })],
    ['another phone', 'half-written', ({ rows: [row] }) => row && Object.assign(row, { phone: '555' })],
    ['a role too many', 'half-written', ({ rows: [row] }) => row?.volunteerRoles.push(99)],
    [
      'a member too many',
      'half-written',
      ({ rows: [row] }) => row?.familyMembers.unshift({ name: 'Eve', age: null, attending: 1 }),
    ],
    ['an RSVP that is stored twice', 'double', ({ rows }, ledger) => rows.push(rowOf(rsvpOf(ledger, 1), 4))],
    ['an RSVP with two ids', 'double', (_, ledger) => ledger.acknowledge(rsvpOf(ledger, 1), 4)],
    [
      'a row that no client sent',
      'foreign',
      ({ rows: [row] }) => row && Object.assign(row, { email: 'eve@x.example' }),
    ],
    ['a withdrawal that is undone', 'lost', ({ rows: [, row] }) => row && Object.assign(row, { deleted: 0 })],
    ['one that no client asked for', 'foreign', ({ rows: [row] }) => row && Object.assign(row, { deleted: 1 })],
    ['a complaint of the database', 'damaged', ({ complaints }) => complaints.push('row 1 missing from index')],
  ])('finds %s', (_what, kind, breakIt) => {
    const { ledger, stored } = madeLedger()
    breakIt(stored, ledger)
    expect(kindsOf(ledger, stored)).toContain(kind)
  })

  it('takes an RSVP that was changed for its last version, and for either where that had no reply', () => {
    const { ledger, stored } = madeLedger()
    const rsvp = rsvpOf(ledger, 1)
    const judged = (body = rsvp.body) => {
      const [, second] = stored.rows
      return kindsOf(ledger.snapshot(), { ...stored, rows: [rowOf({ body }, 1), second].filter((row) => !!row) })
    }
    const changed = ledger.askToChange(rsvp, new Random(3))
    expect([judged(), judged(changed)]).toEqual([[], []])
    ledger.changed(rsvp, true)
    expect([judged(), judged(changed)]).toEqual([['half-written'], []])
    const later = ledger.askToChange(rsvp, new Random(4))
    ledger.changed(rsvp, false)
    expect([judged(changed), judged(later)]).toEqual([[], []])
  })

  it('finds an RSVP that was refused and is stored, where a refusal means that it is not', () => {
    const { ledger, stored } = madeLedger()
    rsvpOf(ledger, 3).refused = 1
    const more = { ...stored, rows: [...stored.rows, rowOf(rsvpOf(ledger, 3), 3)] }
    expect(kindsOf(ledger.snapshot(), more, false)).toEqual([])
    expect(kindsOf(ledger.snapshot(), more)).toEqual(['foreign'])
  })

  it('judges a snapshot by what was acknowledged when it was taken', () => {
    const { ledger, stored } = madeLedger()
    const early = ledger.snapshot()
    ledger.acknowledge(rsvpOf(ledger, 3), 3)
    expect([kindsOf(early, stored), kindsOf(ledger, stored)]).toEqual([[], ['lost']])
  })
})
