import { beforeEach, expect, it, vi } from 'vitest'
import { describeOnBothDatabases, testCall, testRsvp, testStoredRsvp } from '#db/fixtures.ts'
import { openedDatabase, transaction } from '#db/storage/client.ts'
import { countRsvps, getStatistics } from './counts.ts'
import { deleteRsvps } from './delete.ts'
import { getRsvp, listRsvps } from './list.ts'
import type { RsvpFilter } from './schema.ts'
import { NAMED_IDS_MAXIMUM } from './schema.ts'
import { createRsvp } from './submit.ts'

import { rsvps } from './table.ts'

const call = testCall()

async function make(changes: Record<string, unknown> = {}, now = call.now): Promise<number> {
  return (await createRsvp(testRsvp(changes), testCall({ now }))).id
}

async function idsOf(filter: RsvpFilter & { limit?: number; before?: string }): Promise<number[]> {
  return JSON.parse(String((await listRsvps(filter, call)).json)).map(({ id }: { id: number }) => id)
}

describeOnBothDatabases('rsvp administration', () => {
  beforeEach(async () => {
    await transaction((tx) => tx.delete(rsvps))
  })

  it('gets one response with everything that belongs to it', async () => {
    await make({ name: 'Bea Brown' })
    const id = await make({
      phone: '555-0100',
      message: 'Line one\n👨‍👩‍👧‍👦 "quoted"',
      addToCalendar: true,
      calendarType: 'ical',
      familyMembers: [
        { name: 'Joel Cole', age: 'child' },
        { name: 'محمد علي', attending: false },
      ],
      volunteerRoles: [3, 2],
    })
    await make({ name: 'Bea Brown' })
    expect(await getRsvp({ id: String(id) }, call)).toEqual(
      testStoredRsvp(id, {
        phone: '555-0100',
        message: 'Line one\n👨‍👩‍👧‍👦 "quoted"',
        addToCalendar: true,
        calendarType: 'ical',
        familyMembers: [
          { name: 'Joel Cole', age: 'child', attending: true },
          { name: 'محمد علي', age: null, attending: false },
        ],
        volunteerSignups: [{ role: { id: 2, name: 'Usher' } }, { role: { id: 3, name: 'Music' } }],
      }),
    )
  })

  it('gets null for what was not given', async () => {
    const id = await make({ attending: false })
    expect(await getRsvp({ id: String(id) }, call)).toMatchObject({
      phone: null,
      message: null,
      attending: false,
      calendarType: null,
      familyMembers: [],
      volunteerSignups: [],
    })
  })

  it('does not find a response that does not exist', async () => {
    await make()
    await expect(getRsvp({ id: '999999999' }, call)).rejects.toMatchObject({ code: 'not-found' })
  })

  it.each(['', '0', '-1', '01', '1.5', '1 ', 'x', '1'.repeat(16), 1, undefined])('refuses the id %j', async (id) => {
    await expect(getRsvp({ id }, call)).rejects.toMatchObject({ code: 'invalid' })
  })

  it('deletes several with all that is counted of them, and returns which were there', async () => {
    const ids: number[] = []
    for (let count = 0; count < 4; count++) {
      ids.push(await make({ familyMembers: [{ name: 'Joel Cole' }], volunteerRoles: [1] }))
    }
    const [first, second, third, kept] = ids
    const deleted = await deleteRsvps({ ids: [third, 999_999_999, first, second, first] }, call)
    expect(deleted.toSorted((a, b) => a - b)).toEqual([first, second, third])
    expect(await idsOf({})).toEqual([kept])
    expect(await countRsvps({}, call)).toEqual({ attending: 1, notAttending: 0 })
    const { people, roles } = await getStatistics({}, call)
    expect([people.expected, roles[0]?.offers]).toEqual([2, 1])
    expect(await deleteRsvps({ ids: [first, second] }, call)).toEqual([])
  })

  it('deletes nothing where none is named', async () => {
    await make()
    expect(await deleteRsvps({ ids: [] }, call)).toEqual([])
    expect(await idsOf({})).toHaveLength(1)
  })

  it('deletes as many as one batch may hold, and no more', async () => {
    const id = await make()
    const many = Array.from({ length: NAMED_IDS_MAXIMUM }, (_, more) => id + more)
    await expect(deleteRsvps({ ids: [...many, 1] }, call)).rejects.toMatchObject({ code: 'invalid' })
    expect(await idsOf({})).toEqual([id])
    const write = vi.spyOn(openedDatabase(), 'write')
    expect(await deleteRsvps({ ids: many }, call)).toEqual([id])
    expect(write).toHaveBeenCalledTimes(1)
    write.mockRestore()
  })

  it.each([[['1']], [[1.5]], [['1) OR 1=1']], [[null]], ['1'], [undefined]])('refuses to delete %j', async (ids) => {
    await make()
    await expect(deleteRsvps({ ids }, call)).rejects.toMatchObject({ code: 'invalid' })
    expect(await idsOf({})).toHaveLength(1)
  })

  it('returns from each of two concurrent deletions only what it has deleted', async () => {
    const ids = [await make(), await make()]
    const results = await Promise.all([deleteRsvps({ ids }, call), deleteRsvps({ ids }, call)])
    expect(results.flat().toSorted((a, b) => a - b)).toEqual(ids)
  })

  it('lists only one status', async () => {
    const attending = await make()
    const not = await make({ attending: false })
    expect(await idsOf({ status: 'attending' })).toEqual([attending])
    expect(await idsOf({ status: 'not-attending' })).toEqual([not])
    expect(await idsOf({})).toEqual([not, attending])
  })

  it('lists only what came since a moment, that moment as well', async () => {
    const before = await make({}, new Date('2025-01-04T23:59:59.999Z'))
    const at = await make({}, new Date('2025-01-05T00:00:00.000Z'))
    const after = await make({ attending: false }, new Date('2025-01-05T00:00:00.001Z'))
    expect(await idsOf({ since: '2025-01-05T00:00:00Z' })).toEqual([after, at])
    expect(await idsOf({ since: '2025-01-04T23:59:59.999Z' })).toEqual([after, at, before])
    expect(await idsOf({ since: '2025-01-05T00:00:00Z', status: 'attending' })).toEqual([at])
  })

  it('lists the pages of what a filter leaves', async () => {
    const made: number[] = []
    for (let count = 0; count < 6; count++) made.unshift(await make({ attending: count % 2 === 0 }))
    const [, third, , second, , first] = made
    const filter = { status: 'attending' as const, limit: 2 }
    expect(await listRsvps(filter, call)).toMatchObject({ next: second })
    expect(await idsOf(filter)).toEqual([third, second])
    expect(await idsOf({ ...filter, before: String(second) })).toEqual([first])
    expect(await listRsvps({ ...filter, before: String(second) }, call)).toMatchObject({ next: undefined })
  })

  it.each([
    { status: 'maybe' },
    { status: '' },
    { since: '2025-01-05' },
    { since: '2025-01-05T00:00:00' },
    { since: '2025-01-05T00:00:00+02:00' },
    { since: '2025-02-30T00:00:00Z' },
    { since: 1_700_000_000 },
  ])('refuses the filter %o', async (filter) => {
    await expect(listRsvps(filter, call)).rejects.toMatchObject({ code: 'invalid' })
  })
})
