import { describe, expect, it } from 'vitest'
import { asStored, judge } from './judge.ts'
import { Ledger, type RsvpBody } from './ledger.ts'
import type { StoredRow } from './stored.ts'

type Scene = ReturnType<typeof madeScene>

/** Three RSVPs: acknowledged as 1, acknowledged as 2 and then withdrawn, and without a reply. */
function madeScene() {
  const ledger = new Ledger()
  const sent = () => Object.assign(ledger.newRsvp(), { times: 1 })
  const [first, second, third] = [sent(), sent(), sent()]
  ledger.acknowledge(first, 1)
  ledger.acknowledge(second, 2)
  second.withdrawn = 'acknowledged'
  const [row, withdrawn] = [rowOf(first.body, 1), rowOf(second.body, 2, 1)]
  return { ledger, first, third, row, withdrawn, stored: { rows: [row, withdrawn], complaints: [] as string[] } }
}

function rowOf(body: RsvpBody, id: number, deleted = 0): StoredRow {
  return structuredClone({ ...asStored(body), id, deleted })
}

function kindsOf({ ledger, stored }: Pick<Scene, 'ledger' | 'stored'>, refusedIsNotStored = true): string[] {
  const findings = [...judge(ledger, stored, refusedIsNotStored), ...ledger.findings]
  return Array.from(new Set(findings.map(({ kind }) => kind)))
}

describe('judging what is stored', () => {
  it('finds nothing where all is as it was acknowledged; what had no reply may be stored, and then has to stay', () => {
    const scene = madeScene()
    expect(kindsOf(scene)).toEqual([])
    scene.stored.rows.push(rowOf(scene.third.body, 3))
    expect(kindsOf(scene)).toEqual([])
    scene.stored.rows.pop()
    expect(kindsOf(scene)).toEqual(['lost'])
  })

  it.each<[string, string, (scene: Scene) => unknown]>([
    ['an acknowledged RSVP that is gone', 'lost', ({ stored }) => stored.rows.shift()],
    ['an RSVP under another id', 'lost', ({ row }) => Object.assign(row, { id: 7 })],
    ['another phone', 'half-written', ({ row }) => Object.assign(row, { phone: '555' })],
    ['a role too many', 'half-written', ({ row }) => row.volunteerRoles.push(99)],
    ['another member', 'half-written', ({ row }) => Object.assign(row, { familyMembers: [{ name: 'Eve' }] })],
    ['an RSVP that is stored twice', 'double', ({ stored, first }) => stored.rows.push(rowOf(first.body, 4))],
    ['an RSVP with two ids', 'double', ({ ledger, first }) => ledger.acknowledge(first, 4)],
    ['a row that no client sent', 'foreign', ({ row }) => Object.assign(row, { email: 'eve@x.example' })],
    ['a withdrawal that is undone', 'lost', ({ withdrawn }) => Object.assign(withdrawn, { deleted: 0 })],
    ['one that no client asked for', 'foreign', ({ row }) => Object.assign(row, { deleted: 1 })],
    ['a complaint of the database', 'damaged', ({ stored }) => stored.complaints.push('row 1 missing from index')],
  ])('finds %s', (_what, kind, breakIt) => {
    const scene = madeScene()
    breakIt(scene)
    expect(kindsOf(scene)).toContain(kind)
  })

  it('takes an RSVP that was changed for its last version, and for either where that had no reply', () => {
    const { ledger, first, withdrawn } = madeScene()
    const judged = (body: RsvpBody) =>
      kindsOf({ ledger: ledger.snapshot(), stored: { rows: [rowOf(body, 1), withdrawn], complaints: [] } })
    const changed = ledger.askToChange(first)
    expect([judged(first.body), judged(changed)]).toEqual([[], []])
    ledger.changed(first, true)
    expect([judged(first.body), judged(changed)]).toEqual([['half-written'], []])
    const later = ledger.askToChange(first)
    ledger.changed(first, false)
    expect([judged(changed), judged(later)]).toEqual([[], []])
  })

  it('finds an RSVP that was refused and is stored, where a refusal means that it is not', () => {
    const { ledger, third, stored } = madeScene()
    third.refused = 1
    stored.rows.push(rowOf(third.body, 3))
    expect(kindsOf({ ledger: ledger.snapshot(), stored }, false)).toEqual([])
    expect(kindsOf({ ledger, stored })).toEqual(['foreign'])
  })

  it('judges a snapshot by what was acknowledged when it was taken', () => {
    const { ledger, third, stored } = madeScene()
    const early = ledger.snapshot()
    ledger.acknowledge(third, 3)
    expect([kindsOf({ ledger: early, stored }), kindsOf({ ledger, stored })]).toEqual([[], ['lost']])
  })
})
