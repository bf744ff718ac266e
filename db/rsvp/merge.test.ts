import { beforeEach, describe, expect, it } from 'vitest'
import { db } from '#db/storage/client.ts'
import { auditEntries } from '#db/tables/access.ts'
import { rsvps } from '#db/tables/rsvp.ts'
import { auditLines, emptyTables, invalidAt, openForTests, testCall, testRsvp } from '#testing/database-fixtures.ts'
import { getStatistics } from './counts.ts'
import { csvDocument } from './csv.ts'
import { deleteRsvp, restoreRsvps } from './delete.ts'
import { addRsvp } from './entry.ts'
import { getDeletedRsvps, getRsvp, getTablePage, listRsvps, responsesFrom } from './list.ts'
import { listDuplicates, mergeRsvps } from './merge.ts'
import { changeOwnRsvp, getOwnRsvp, withdrawOwnRsvp } from './own-rsvp.ts'
import { anonymizeOldRsvps } from './purge.ts'
import { createVolunteerRole } from './roles.ts'
import { getSheet, listFilledRoles } from './sheet.ts'
import { createRsvp } from './submit.ts'

const call = testCall()
const [THIS_WEEK, NEXT_WEEK] = ['2025-01-11', '2025-01-18']
const visitor = testCall({ role: 'visitor', actor: 'visitor' })
const at = (minute: number) => testCall({ now: new Date(call.now.getTime() + minute * 60_000) })

let minutes = 0
/** One after the other, a minute apart. */
async function send(changes: Record<string, unknown> = {}) {
  const { id, linkSecret = '' } = await createRsvp(testRsvp(changes), at(++minutes))
  return { id, linkSecret }
}
const later = () => ({ ...visitor, now: at(++minutes).now })
const groups = async (week?: string) =>
  (await listDuplicates({ week })).duplicates.map(({ id, superseded }) => [id, superseded])
const merge = (id: number) => mergeRsvps({ id: String(id) }, at(++minutes))
const live = async () => (await db.select().from(rsvps)).filter((row) => row.deletedAt === null).map(({ id }) => id)
const notNewest = { code: 'changed-meanwhile', message: expect.stringMatching(/^This is no longer the newest/) }
const nothingToMerge = { code: 'changed-meanwhile', message: expect.stringMatching(/no longer has duplicates/) }

describe('duplicates', () => {
  openForTests()
  beforeEach(() => emptyTables(rsvps, auditEntries))

  it('are the RSVPs with the same e-mail and name for one service, in whatever case, the newest of which counts', async () => {
    const first = await send({ serviceDate: THIS_WEEK })
    await send({ serviceDate: NEXT_WEEK })
    await send({ name: 'Joel Cole' })
    await send({ email: 'ana@other.example' })
    const second = await send({ name: ' ana COLE ', email: 'Ana@Cole.example' })
    const third = await send()
    const listed = await listDuplicates({})
    expect({ ...listed, superseded: listed.superseded.toSorted() }).toEqual({
      duplicates: [
        {
          id: third.id,
          name: 'Ana Cole',
          email: 'ana@cole.example',
          serviceDate: THIS_WEEK,
          superseded: [first.id, second.id],
        },
      ],
      total: 1,
      superseded: [first.id, second.id],
      newest: [third.id],
    })
    expect(await groups(THIS_WEEK)).toEqual([[third.id, [first.id, second.id]]])
    expect(await groups(NEXT_WEEK)).toEqual([])
  })

  it('are none without an e-mail, none that is deleted, and none that is anonymous', async () => {
    for (let count = 0; count < 2; count++) await addRsvp({ name: 'Bea Brown', attending: true }, call)
    const { id } = await send()
    await send()
    await deleteRsvp({ id: String(id) }, call)
    expect(await groups()).toEqual([])
    await restoreRsvps({ ids: [id] }, call)
    expect(await groups()).toHaveLength(1)
    await anonymizeOldRsvps({ days: 1 }, testCall({ now: new Date('2025-02-01T00:00:00Z') }))
    expect(await groups()).toEqual([])
  })

  it('begin with the latest service, and are limited where few are asked for', async () => {
    const made: number[] = []
    for (const serviceDate of [NEXT_WEEK, THIS_WEEK]) {
      for (const name of ['Ana Cole', 'Bea Cole']) {
        await send({ name, serviceDate })
        made.push((await send({ name, serviceDate })).id)
      }
    }
    const [first, second, third, fourth] = made
    expect((await groups()).map(([id]) => id)).toEqual([second, first, fourth, third])
    const some = await listDuplicates({ limit: 3 })
    expect([some.duplicates.map(({ id }) => id), some.total]).toEqual([[second, first, fourth], 4])
  })

  it('count people and offers to serve once, and name each household once', async () => {
    const family = [{ name: 'Joel Cole', age: 'child' }]
    await send({ familyMembers: family, volunteerRoles: [1, 2], message: 'Pray for Joel' })
    await send({ familyMembers: family, volunteerRoles: [1], message: 'We are late' })
    await send({ volunteerRoles: [1], message: 'We are late' })
    const { counted, people, superseded, roles } = await getStatistics({})
    expect({ counted, people, superseded }).toEqual({
      counted: { attending: 1, notAttending: 0 },
      people: { expected: 1, ofAbsent: 0, adults: 1, teens: 0, children: 0, notSaid: 0 },
      superseded: 2,
    })
    expect(roles.slice(0, 2).map(({ offers }) => offers)).toEqual([1, 0])
    expect((await listFilledRoles(THIS_WEEK)).slice(0, 2).map((role) => role.people)).toEqual([['Ana Cole'], []])
    const sheet = await getSheet({ week: THIS_WEEK }, call)
    expect(sheet).toMatchObject({ people, superseded: 2, households: [{ name: 'Ana Cole' }] })
    expect(sheet.messages.map(({ message }) => message).toSorted()).toEqual(['Pray for Joel', 'We are late'])
  })

  it('are marked in the CSV, also once they are anonymous, as deleted ones are', async () => {
    for (const name of ['Ana Cole', 'ANA Cole', 'Ben Cole', 'Cy Cole']) await send({ name })
    await deleteRsvp({ id: String((await live()).at(-1)) }, call)
    const counted = async (filter: { deleted?: 'true' }) => {
      const csv = (await Array.fromAsync(csvDocument(responsesFrom(await listRsvps(filter, call), call)))).join('')
      return csv.split('\r\n').map((line) => line.split(',').at(-1))
    }
    expect(await counted({})).toEqual(['Counted', 'yes', 'yes', 'no', ''])
    expect(await counted({ deleted: 'true' })).toEqual(['Counted', 'no', ''])
    await anonymizeOldRsvps({ days: 1 }, testCall({ now: new Date('2025-06-01T12:00:00Z') }))
    expect(await counted({})).toEqual(['Counted', 'yes', 'yes', 'no', ''])
  })

  it('count by what was said last: a change of what was sent first supersedes what was sent after it', async () => {
    const first = await send()
    const second = await send({ familyMembers: [{ name: 'Joel Cole' }] })
    await changeOwnRsvp({ linkSecret: first.linkSecret, attending: false }, later())
    expect(await groups()).toEqual([[first.id, [second.id]]])
    expect((await getStatistics({})).people.expected).toBe(0)
    await withdrawOwnRsvp({ linkSecret: first.linkSecret }, later())
    expect((await getStatistics({})).people.expected).toBe(2)
  })

  it('are found by each of them, also by one that is deleted, and nothing else is', async () => {
    const [first, second, third] = [await send(), await send(), await send({ name: 'ANA cole' })]
    await send({ name: 'Joel Cole', message: 'With Ana Cole, ana@cole.example' })
    await send({ serviceDate: NEXT_WEEK })
    const { id: lone } = await addRsvp({ name: 'Ana Cole', attending: true }, call)
    const found = async (same: number) =>
      (await getTablePage({ same: String(same), sort: 'oldest' })).responses.map(({ id }) => id)
    for (const { id } of [first, second, third]) expect(await found(id)).toEqual([first.id, second.id, third.id])
    await deleteRsvp({ id: String(second.id) }, call)
    for (const { id } of [first, second]) expect(await found(id)).toEqual([first.id, third.id])
    expect([await found(lone), await found(999_999)]).toEqual([[lone], []])
  })

  it('are merged into the newest, which the audit says by their numbers, and come apart when they are restored', async () => {
    const [first, second, kept] = [await send(), await send(), await send()]
    const other = await send({ name: 'Bea Cole' })
    expect(await merge(kept.id)).toEqual({
      merged: [first.id, second.id],
      changedAt: expect.any(String),
      linkMailed: false,
      linkSecret: undefined,
    })
    expect(await live()).toEqual([kept.id, other.id])
    expect(await auditLines()).toEqual([
      `terminal: response changed ${kept.id}`,
      `terminal: responses merged ${first.id} and ${second.id} into ${kept.id}`,
    ])
    expect(await groups()).toEqual([])
    const deleted = async () => (await getDeletedRsvps()).responses.map(({ id, mergedInto }) => [id, mergedInto])
    expect(await deleted()).toEqual([
      [second.id, kept.id],
      [first.id, kept.id],
    ])
    await restoreRsvps({ ids: [first.id] }, call)
    expect(await groups()).toEqual([[kept.id, [first.id]]])
    await deleteRsvp({ id: String(first.id) }, call)
    expect(await deleted()).toContainEqual([first.id, null])
  })

  it('are merged without losing roles, messages and a number, with the family of the newest first', async () => {
    const familyMembers = ['Joel', 'Mia', 'Tim', 'Zoe'].map((name) => ({ name, age: 'child' as const }))
    await send({ familyMembers, volunteerRoles: [1, 2], message: 'Pray for Joel', phone: '555 0100', firstVisit: true })
    await send({ volunteerRoles: [3], message: 'Pray for Joel' })
    const family = [{ name: 'Leo' }, { name: 'joel', attending: false }]
    const newest = await send({ familyMembers: family, message: 'We are late' })
    await merge(newest.id)
    expect(await getRsvp({ id: String(newest.id) })).toMatchObject({
      phone: '555 0100',
      message: 'Pray for Joel\n\nWe are late',
      attending: true,
      firstVisit: true,
      familyMembers: [
        { name: 'Leo', attending: true },
        { name: 'joel', attending: false },
        { name: 'Mia', attending: true },
        { name: 'Tim', attending: true },
        { name: 'Zoe', attending: true },
      ],
      volunteerSignups: [1, 2, 3].map((id) => ({ role: { id } })),
    })
  })

  it.each([
    ['Dirk', 'Dina', 'Dina Dirk'],
    ['Max Moe', 'Mona', '', 'Mona Max Moe'],
    ['Ann', 'Bo Cy', 'ann DEE', 'ann DEE Bo Cy'],
    ['Mary-Ann', 'mary\u2010ann José', 'mary\u2010ann José'],
    ['Max Max', 'Ann', 'Ann Max Max'],
  ])('are merged with each family member that any of them names: %s, %s', async (...said) => {
    let id = 0
    for (const names of said.slice(0, -1)) {
      const familyMembers = names.split(' ').flatMap((name) => (name ? [{ name }] : []))
      id = (await send({ familyMembers })).id
    }
    await merge(id)
    const { familyMembers } = await getRsvp({ id: String(id) })
    expect(familyMembers.map(({ name }) => name).join(' ')).toBe(said.at(-1))
  })

  it('are merged with the last word about a family member that says something', async () => {
    const away = { age: 'child', attending: false }
    await send({
      familyMembers: [
        { name: 'Mia', age: 'teen' },
        { name: 'Tim', ...away },
      ],
    })
    await send({ familyMembers: [{ name: 'MIA', ...away }, { name: 'Tim' }] })
    const { id } = await send({ familyMembers: [{ name: 'Mia' }] })
    await merge(id)
    const family = ['Mia', 'Tim'].map((name) => ({ name, age: 'child', attending: true }))
    expect((await getRsvp({ id: String(id) })).familyMembers).toEqual(family)
  })

  it('are not merged while they name more family members than fit: none is dropped unsaid', async () => {
    const many = Array.from({ length: 20 }, (_, place) => ({ name: `Kim ${place}` }))
    await send({ familyMembers: many })
    const { id } = await send({ familyMembers: [{ name: 'Zoe' }] })
    await expect(merge(id)).rejects.toMatchObject(invalidAt('familyMembers'))
    await mergeRsvps({ id: String(id), familyMembers: many }, at(++minutes))
    expect(await live()).toEqual([id])
  })

  it('are merged with the roles that have room, also beside one that others have filled since', async () => {
    const door = await createVolunteerRole({ name: 'Door', needed: 1 }, call)
    await send({ volunteerRoles: [2, door.id] })
    const newest = await send()
    await send({ name: 'Bea Cole', volunteerRoles: [door.id] })
    await merge(newest.id)
    expect(await getRsvp({ id: String(newest.id) })).toMatchObject({ volunteerSignups: [{ role: { id: 2 } }] })
  })

  it('are merged as an administrator decides, and bring no one whose sender has taken all back', async () => {
    await send({ familyMembers: [{ name: 'Joel Cole' }], volunteerRoles: [1] })
    const newest = await send({ attending: false })
    const decided = { id: String(newest.id), volunteerRoles: [], message: 'Called' }
    await mergeRsvps(decided, at(++minutes))
    expect(await getRsvp({ id: String(newest.id) })).toMatchObject({
      attending: false,
      message: 'Called',
      volunteerSignups: [],
      familyMembers: [{ name: 'Joel Cole', attending: false }],
    })
    await send()
    const again = await send()
    const stale = mergeRsvps({ id: String(again.id), onlyIfRevision: [1] }, at(++minutes))
    await expect(stale).rejects.toMatchObject({ code: 'changed-meanwhile' })
    const invalid = mergeRsvps({ id: String(again.id), name: 'A' }, at(++minutes))
    await expect(invalid).rejects.toMatchObject({ code: 'invalid', fields: [{ path: 'name' }] })
    expect(await groups()).toHaveLength(1)
  })

  it('are merged once by five at once, and not into one that is not the newest, has none, is deleted or is unknown', async () => {
    const [first, second] = [await send(), await send()]
    await expect(merge(first.id)).rejects.toMatchObject(notNewest)
    const ends = await Promise.allSettled(Array.from({ length: 5 }, () => merge(second.id)))
    const refused = { status: 'rejected', reason: nothingToMerge }
    expect(ends).toMatchObject([{ status: 'fulfilled' }, ...Array(4).fill(refused)])
    for (const id of [first.id, 999_999]) await expect(merge(id)).rejects.toMatchObject({ code: 'not-found' })
    expect(await live()).toEqual([second.id])
    expect(await auditLines()).toHaveLength(2)
  })

  it('have private links that say so once they are merged, and work again once they are restored', async () => {
    const [first, kept] = [await send(), await send({ phone: '555 0100' })]
    await merge(kept.id)
    const gone = (message: RegExp) => ({ code: 'gone', message: expect.stringMatching(message) })
    await expect(getOwnRsvp(first, later())).rejects.toMatchObject(gone(/has deleted .* or combined/))
    await deleteRsvp({ id: String(kept.id) }, call)
    await expect(getOwnRsvp(first, later())).rejects.toMatchObject(gone(/has deleted/))
    await restoreRsvps({ ids: [kept.id] }, call)
    expect((await getOwnRsvp(kept, later())).name).toBe('Ana Cole')
    await restoreRsvps({ ids: [first.id] }, call)
    expect((await getOwnRsvp(first, later())).name).toBe('Ana Cole')
  })
})
