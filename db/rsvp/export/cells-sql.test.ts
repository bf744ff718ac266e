import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { describeOnBothDatabases, testCall, testRsvp } from '#db/fixtures.ts'
import { ageGroups } from '#db/rsvp/family-member.ts'
import { listCells, listRsvps } from '#db/rsvp/list/operations.ts'
import { cellsFrom, responsesOf } from '#db/rsvp/list/pages.ts'
import { createRsvp } from '#db/rsvp/operations.ts'
import { calendarTypes } from '#db/rsvp/schema.ts'
import { familyMembers, rsvps } from '#db/rsvp/table.ts'
import { db } from '#db/storage/client.ts'
import { CELL_END, ROW_END } from './cell-bytes.ts'
import { cellsOf } from './cells.ts'

const call = testCall()
/** Every age group, and none, of those who come and those who do not, not in the order of the alphabet. */
const everyMember = [...ageGroups, undefined].flatMap((age) =>
  [true, false].map((attending) => ({ name: `Zoë "${age}", ${attending}; \\`, age, attending })),
)
const sent = [
  { phone: '+1 555 0100', message: 'One, "two"\n\tthree\r\n\u0001\u2028é 김 👩‍👩‍👧 \\u0041 ' },
  { attending: false, familyMembers: everyMember, volunteerRoles: [5, 2] },
  ...calendarTypes.map((calendarType) => ({ calendarType, addToCalendar: true, volunteerRoles: [1] })),
  { name: "'; DROP TABLE rsvps; --", familyMembers: [{ name: '=1+1' }] },
]

/** The rows of texts in these bytes. */
function textsIn(cells: Buffer): string[][] {
  const split = (text: string, end: number) => text.split(String.fromCharCode(end))
  return split(cells.toString('latin1'), ROW_END)
    .slice(0, -1)
    .map((row) => split(row, CELL_END).map((cell) => Buffer.from(cell, 'latin1').toString()))
}

describeOnBothDatabases('listCells', () => {
  beforeAll(async () => {
    for (const changes of sent) await createRsvp(testRsvp(changes), call)
  })

  it('gives exactly what `cellsOf` makes of every response', async () => {
    const expected = responsesOf(await listRsvps({}, call)).map(cellsOf)
    expect(expected).toHaveLength(sent.length)
    expect(textsIn((await listCells({}, call)).cells)).toEqual(expected)
  })

  it('holds to the filter, from page to page', async () => {
    const expected = responsesOf(await listRsvps({ status: 'attending' }, call)).map(cellsOf)
    const pages: string[][][] = []
    const first = await listCells({ status: 'attending', limit: 1 }, call)
    for await (const { cells, count } of cellsFrom(first, call)) {
      pages.push(textsIn(cells))
      expect(pages.at(-1)).toHaveLength(count)
    }
    expect(pages.map(({ length }) => length)).toEqual([1, expected.length - 1])
    expect(pages.flat()).toEqual(expected)
  })

  it('keeps what no version of ours has stored', async () => {
    const cellsNow = async () => textsIn((await listCells({}, call)).cells).flat()
    const before = await cellsNow()
    await db.batch([
      db.update(rsvps).set({ calendarType: sql`'outlook'` }).where(eq(rsvps.calendarType, 'google')),
      db.update(familyMembers).set({ age: sql`'elder'` }).where(eq(familyMembers.name, '=1+1')),
    ])
    const after = await cellsNow()
    expect(after.filter((text) => !before.includes(text))).toEqual(['outlook'])
    expect(after).toContain('=1+1')
  })

  it('is for administrators', async () => {
    await expect(listCells({}, testCall({ administrator: false }))).rejects.toMatchObject({ code: 'unauthenticated' })
  })
})
