import { beforeEach, expect, it } from 'vitest'
import { changeFeatures } from '#db/features.ts'
import { changeSettings } from '#db/settings.ts'
import { db, transaction } from '#db/storage/client.ts'
import { auditEntries } from '#db/tables/access.ts'
import { privateLinks, rsvps, standingRsvps } from '#db/tables/rsvp.ts'
import {
  auditLines,
  describeOnBothDatabases,
  emptyTables,
  everyRow,
  testCall,
  testRsvp,
} from '#testing/database-fixtures.ts'
import { changeSchedule } from './change-schedule.ts'
import { deleteRsvp } from './delete.ts'
import { listRsvps, responsesOf } from './list.ts'
import { mergeRsvps } from './merge.ts'
import { changeOwnRsvp, getOwnRsvp, restoreOwnRsvp, withdrawOwnRsvp } from './own-rsvp.ts'
import { keepOwnStanding } from './own-standing.ts'
import { createVolunteerRole } from './roles.ts'
import { changeStanding } from './standing.ts'
import { createRsvp } from './submit.ts'
import { writeStandingRsvps } from './write-weeks.ts'

const call = testCall({ role: 'visitor', actor: 'visitor' })
const inDays = (days: number) => ({ ...call, now: new Date(call.now.getTime() + days * 24 * 60 * 60_000) })
const later = inDays(0.1)
const [first, second, third, fourth, fifth, sixth] = Array.from({ length: 6 }, (_, week) =>
  new Date(Date.UTC(2025, 0, 11 + 7 * week)).toISOString().slice(0, 10),
) as [string, string, string, string, string, string]
const gone = { code: 'gone', message: expect.stringMatching(/no longer comes every week/) }

let sent = 0
async function send(changes: Record<string, unknown> = {}, at = call) {
  const { id, linkSecret = '' } = await createRsvp({ ...testRsvp(changes), idempotencyKey: `resumed-${++sent}` }, at)
  return { id, linkSecret }
}
const sendHousehold = (changes = {}) => send({ standing: true, familyMembers: [{ name: 'Joel Cole' }], ...changes })
const on = async (day: string) =>
  responsesOf(await listRsvps({}, testCall())).filter(({ serviceDate }) => serviceDate === day)
const weeksOf = async (linkSecret: string, at = later) => (await getOwnRsvp({ linkSecret }, at)).standing?.weeks ?? []
const peopleOf = async (linkSecret: string) => (await weeksOf(linkSecret)).map(({ people }) => people)

describeOnBothDatabases('"every week" that its household has ended', () => {
  beforeEach(async () => {
    await emptyTables(privateLinks, rsvps, standingRsvps, auditEntries)
    await changeFeatures({ familyRsvp: true, volunteerSignup: true }, testCall())
    await changeSettings({ retentionDays: null }, testCall())
    await changeSchedule({ weekday: 6, timeZone: 'UTC', closesMinutesBefore: null, skippedDates: [] }, testCall())
  })

  it('is as it was once that is taken back, except what is over or was decided since', async () => {
    const { id: role } = await createVolunteerRole({ name: `Door ${++sent}`, needed: 1 }, testCall())
    await send({ serviceDate: third })
    const { linkSecret } = await sendHousehold({ volunteerRoles: [role] })
    await withdrawOwnRsvp({ linkSecret, week: second }, later)
    await changeOwnRsvp({ linkSecret, week: third, familyMembers: [] }, later)
    const { id: single } = await send({ serviceDate: fifth, attending: false })
    await deleteRsvp({ id: String((await on(sixth))[0]?.id) }, testCall())
    const before = await weeksOf(linkSecret)
    expect(before.map(({ people }) => people)).toEqual([2, 0, 1, 2, 0, 0, 2, 2])
    await withdrawOwnRsvp({ linkSecret }, later)
    await restoreOwnRsvp({ linkSecret }, later)
    expect(await weeksOf(linkSecret)).toEqual(before)

    await withdrawOwnRsvp({ linkSecret }, later)
    await send({ name: 'Bea Cole', serviceDate: third, volunteerRoles: [role] })
    const since = inDays(8)
    await send({ serviceDate: fourth, attending: false }, since)
    await restoreOwnRsvp({ linkSecret }, since)
    expect(await on(first)).toEqual([])
    const weeks = await weeksOf(linkSecret, since)
    const other = { people: 0, decidedBy: 'another RSVP' }
    const own = { people: 2, roles: [expect.any(String)] }
    expect(weeks).toMatchObject([
      { people: 0 },
      { people: 1, roles: [] },
      other,
      other,
      { decidedBy: 'church' },
      own,
      own,
    ])
    // What another RSVP had decided is the household's again without it.
    await deleteRsvp({ id: String(single) }, testCall())
    expect((await weeksOf(linkSecret, since))[3]).toMatchObject(own)
    await writeStandingRsvps({ ...testCall(), now: since.now })
    expect(await weeksOf(linkSecret, since)).toHaveLength(8)
  })

  it('says until when it counted, and is over once it would be forgotten', async () => {
    const { linkSecret } = await sendHousehold()
    await withdrawOwnRsvp({ linkSecret }, inDays(10))
    const ended = await getOwnRsvp({ linkSecret }, inDays(39))
    expect(ended).toMatchObject({ endsAt: inDays(40).now.toISOString(), standing: { countedUntil: first } })
    await changeSettings({ retentionDays: 20 }, testCall())
    for (const act of [getOwnRsvp, restoreOwnRsvp, withdrawOwnRsvp])
      await expect(act({ linkSecret }, inDays(30))).rejects.toMatchObject(gone)
  })

  it('loses nothing to two who press at once, nor to a clerk who deletes meanwhile', async () => {
    const { id, linkSecret } = await sendHousehold()
    for (const act of [withdrawOwnRsvp, restoreOwnRsvp]) {
      await Promise.all([1, 2, 3].map((day) => act({ linkSecret }, inDays(day / 100))))
      const rows = await everyRow()
      await act({ linkSecret }, later)
      expect(await everyRow()).toBe(rows)
    }
    expect(await peopleOf(linkSecret)).toEqual(Array(8).fill(2))
    const ids = [id, (await on(second))[0]?.id]
    const [deletedFirst, , deletedNext] = await Promise.allSettled([
      deleteRsvp({ id: String(ids[0]) }, testCall()),
      withdrawOwnRsvp({ linkSecret }, later),
      deleteRsvp({ id: String(ids[1]) }, testCall()),
      restoreOwnRsvp({ linkSecret }, later),
    ])
    await restoreOwnRsvp({ linkSecret }, later)
    const left = [deletedFirst, deletedNext].map(({ status }) => (status === 'fulfilled' ? 0 : 2))
    expect(await peopleOf(linkSecret)).toEqual([...left, ...Array(6).fill(2)])
    await transaction((tx) => tx.delete(rsvps))
    for (const act of [withdrawOwnRsvp, restoreOwnRsvp])
      await expect(act({ linkSecret }, later)).rejects.toMatchObject({ code: 'not-found' })
  })

  it('cannot be taken back if others have ended it, also in the moment in which it was heard from', async () => {
    const { linkSecret } = await sendHousehold()
    const [{ id = 0 } = {}] = await db.select().from(standingRsvps)
    await withdrawOwnRsvp({ linkSecret }, later)
    await restoreOwnRsvp({ linkSecret }, later)
    expect((await auditLines()).filter((line) => /^visitor: .*(restored|kept)/.test(line))).toHaveLength(9)
    await keepOwnStanding({ linkSecret }, later)
    await changeStanding({ id: String(id), comes: false }, testCall({ now: later.now }))
    for (const act of [getOwnRsvp, restoreOwnRsvp, withdrawOwnRsvp])
      await expect(act({ linkSecret }, later)).rejects.toMatchObject(gone)
    expect(responsesOf(await listRsvps({}, testCall()))).toEqual([])
  })

  it('is over for good once a clerk finds spam in it, or merges one of its RSVPs', async () => {
    const underWay = new Date('2025-01-11T10:30:00Z')
    const merge = async () => {
      const { id } = await send({ message: 'Added' }, { ...call, now: new Date('2025-01-11T10:40:00Z') })
      await mergeRsvps({ id: String(id) }, testCall({ now: new Date('2025-01-11T10:50:00Z') }))
    }
    for (const end of [merge, (id: number) => deleteRsvp({ id: String(id) }, testCall({ now: underWay }))]) {
      await emptyTables(rsvps, standingRsvps, privateLinks)
      const { id, linkSecret } = await sendHousehold({ website: 'x' })
      await withdrawOwnRsvp({ linkSecret }, { ...call, now: underWay })
      expect(await on(first)).toHaveLength(1)
      await end(id)
      for (const act of [getOwnRsvp, restoreOwnRsvp])
        await expect(act({ linkSecret }, inDays(7))).rejects.toMatchObject({
          code: expect.stringMatching(/gone|not-found/),
        })
    }
  })
})
