import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { getCalendarSeries } from '#db/calendar/series.ts'
import type { Call } from '#db/call.ts'
import { changeFeatures } from '#db/features.ts'
import { db, transaction } from '#db/storage/client.ts'
import { privateLinks, rsvps, standingRsvps } from '#db/tables/rsvp.ts'
import { emptyTables, everyRow, invalidAt, openForTests, testCall, testRsvp } from '#testing/database-fixtures.ts'
import { changeSchedule } from './change-schedule.ts'
import { deleteRsvp, restoreRsvps } from './delete.ts'
import { listRsvps, responsesOf } from './list.ts'
import { changeOwnRsvp, getOwnRsvp, restoreOwnRsvp, withdrawOwnRsvp } from './own-rsvp.ts'
import { getOwnCalendar, keepOwnStanding, revokeOwnCalendar, startOwnCalendar } from './own-standing.ts'
import { makeLink } from './private-links.ts'
import { changeVolunteerRole, createVolunteerRole } from './roles.ts'
import { createRsvp } from './submit.ts'
import { writeStandingRsvps } from './write-weeks.ts'

const call = testCall({ role: 'visitor', actor: 'visitor' })
/** So many minutes later, the same week. */
const inMinutes = (minutes: number) => ({ ...call, now: new Date(call.now.getTime() + minutes * 60_000) })
const later = inMinutes(10)
const [first, second, third, fourth] = ['2025-01-11', '2025-01-18', '2025-01-25', '2025-02-01'] as const
const gone = { code: 'gone', message: expect.stringMatching(/no longer comes every week/) }
const unknown = { code: 'not-found' }

let sent = 0
async function send(changes: Record<string, unknown> = {}) {
  const { id, linkSecret = '' } = await createRsvp({ ...testRsvp(changes), idempotencyKey: `week-${++sent}` }, call)
  return { id, linkSecret }
}
const family = [{ name: 'Joel Cole', age: 'child' as const }, { name: 'Mia Cole' }]
const sendHousehold = (changes = {}) => send({ standing: true, familyMembers: family, ...changes })
const stored = async () => responsesOf(await listRsvps({}, testCall()))
const on = async (day: string) => (await stored()).filter(({ serviceDate }) => serviceDate === day)
const template = async () => (await db.select().from(standingRsvps))[0]
async function weeksOf(linkSecret: string) {
  const rsvp = await getOwnRsvp({ linkSecret }, later)
  return rsvp.standing?.weeks ?? []
}
const change = (linkSecret: string, changes: object, minutes = 10) =>
  changeOwnRsvp({ linkSecret, ...changes }, inMinutes(minutes))

describe('the link of a household that comes every week', () => {
  openForTests()
  beforeEach(async () => {
    await emptyTables(privateLinks, rsvps, standingRsvps)
    await changeFeatures({ calendarIntegration: true, familyRsvp: true, volunteerSignup: true }, testCall())
    await changeSchedule({ weekday: 6, timeZone: 'UTC', closesMinutesBefore: null, skippedDates: [] }, testCall())
  })

  it('lists the offered weeks without writing any, and shows the next one', async () => {
    await changeSchedule({ skippedDates: [second] }, testCall())
    const { linkSecret } = await sendHousehold({ volunteerRoles: [1] })
    const before = await everyRow()
    const rsvp = await getOwnRsvp({ linkSecret }, later)
    expect(rsvp).toMatchObject({ serviceDate: first, familyMembers: [{ age: 'child' }, { age: null }] })
    expect(rsvp.standing).toMatchObject({ since: first, endsAt: '2026-01-05T14:00:00.000Z', calendar: null })
    const weeks = rsvp.standing?.weeks ?? []
    expect(weeks.map(({ date }) => date).slice(0, 3)).toEqual([first, third, '2025-02-01'])
    for (const week of weeks) expect(week).toMatchObject({ people: 3, roles: [expect.any(String)] })
    expect(rsvp.endsAt.slice(0, 10)).toBe(weeks.at(-1)?.date)
    expect(await getOwnRsvp({ linkSecret, week: third }, later)).toMatchObject({ serviceDate: third })
    expect(await everyRow()).toBe(before)
    // Once the first service is over, the link works on.
    const nextWeek = { ...call, now: new Date('2025-01-13T00:00:00Z') }
    expect(await getOwnRsvp({ linkSecret }, nextWeek)).toMatchObject({ serviceDate: third })
  })

  it('refuses a week that is over, skipped, too far ahead or before the first, and another day for a week', async () => {
    await changeSchedule({ skippedDates: [second], closesMinutesBefore: 7 * 24 * 60 }, testCall())
    const { linkSecret } = await sendHousehold({ serviceDate: '2025-02-01' })
    const before = await everyRow()
    for (const week of ['2025-01-04', first, second, third, '2025-01-12', '2026-01-10'])
      for (const act of [getOwnRsvp, changeOwnRsvp, withdrawOwnRsvp, restoreOwnRsvp])
        await expect(act({ linkSecret, week, name: 'Eve' }, later)).rejects.toMatchObject(invalidAt('serviceDate'))
    await expect(change(linkSecret, { serviceDate: '2025-02-08' })).rejects.toMatchObject(invalidAt('serviceDate'))
    expect(await everyRow()).toBe(before)
  })

  it('withdraws and changes a week that is closed, but not over, which no change for every week reaches', async () => {
    const { linkSecret } = await sendHousehold()
    await changeSchedule({ closesMinutesBefore: 60 }, testCall())
    const closed = { ...call, now: new Date('2025-01-11T09:30:00Z') }
    const link = { linkSecret, week: first }
    await writeStandingRsvps({ ...testCall(), now: closed.now })
    const people = async () => (await getOwnRsvp(link, closed)).standing?.weeks.map((week) => week.people)
    expect((await getOwnRsvp({ linkSecret }, closed)).serviceDate).toBe(second)
    await changeOwnRsvp({ ...link, familyMembers: [family[0]] }, closed)
    expect(await people()).toEqual([2, ...Array(8).fill(3)])
    for (const week of [undefined, first])
      await changeOwnRsvp({ linkSecret, week, familyMembers: [], message: 'Bye', everyWeek: true }, closed)
    expect(await on(first)).toMatchObject([{ message: null, familyMembers: [{ name: 'Joel Cole' }] }])
    expect(await people()).toEqual([2, ...Array(8).fill(1)])
    await withdrawOwnRsvp(link, closed)
    expect((await people())?.at(0)).toBe(0)
    await restoreOwnRsvp(link, closed)
    expect((await people())?.at(0)).toBe(2)
    const over = { ...call, now: new Date('2025-01-11T12:00:00Z') }
    for (const act of [getOwnRsvp, changeOwnRsvp, withdrawOwnRsvp])
      await expect(act(link, over)).rejects.toMatchObject(invalidAt('serviceDate'))
  })

  it('changes one week alone', async () => {
    const { linkSecret } = await sendHousehold()
    const one = { week: second, familyMembers: [family[0]], message: 'Mia is away' } as const
    const rsvp = await change(linkSecret, one)
    expect(await on(second)).toMatchObject([{ message: 'Mia is away', standing: true, changedAt: rsvp.changedAt }])
    expect((await weeksOf(linkSecret)).map(({ people }) => people).slice(0, 3)).toEqual([3, 2, 3])
    const before = await everyRow()
    expect(await change(linkSecret, one, 20)).toEqual(rsvp)
    expect(await everyRow()).toBe(before)
  })

  it('changes every week, except what was said for one of them', async () => {
    const { linkSecret } = await sendHousehold({ message: 'See you' })
    await change(linkSecret, { week: second, familyMembers: [] })
    await change(linkSecret, { week: third, phone: '555 0100', familyMembers: [family[1]], everyWeek: true }, 20)
    expect(await template()).toMatchObject({ phone: '555 0100', familyMembers: [{ name: 'Mia Cole' }] })
    expect((await weeksOf(linkSecret)).map(({ people }) => people).slice(0, 3)).toEqual([2, 1, 2])
    expect(await on(first)).toMatchObject([{ phone: '555 0100', message: 'See you' }])
    expect(await on(second)).toMatchObject([{ phone: null }])
    expect(await on(third)).toMatchObject([{ phone: '555 0100', familyMembers: [{ name: 'Mia Cole' }] }])
    await changeFeatures({ familyRsvp: false }, testCall())
    await change(linkSecret, { week: fourth, message: 'Late' }, 24)
    await change(linkSecret, { week: second, phone: '555 0101', everyWeek: true }, 25)
    expect(await on(fourth)).toMatchObject([
      { phone: '555 0101', message: 'Late', familyMembers: [{ name: 'Mia Cole' }] },
    ])
    const before = await everyRow()
    await change(linkSecret, { week: third, phone: '555 0101', everyWeek: true }, 30)
    expect(await everyRow()).toBe(before)
    const no = change(linkSecret, { attending: false, everyWeek: true }, 40)
    await expect(no).rejects.toMatchObject(invalidAt('attending'))
  })

  it('switches a week off and on again, also one with a no', async () => {
    const { linkSecret } = await sendHousehold()
    const week = { linkSecret, week: second }
    const people = async () => (await weeksOf(linkSecret))[1]?.people
    for (const minutes of [10, 11]) await withdrawOwnRsvp(week, inMinutes(minutes))
    expect(await on(second)).toEqual([])
    expect(await people()).toBe(0)
    await expect(change(linkSecret, { week: second, message: 'Hello' }, 12)).rejects.toMatchObject({ code: 'deleted' })
    for (const minutes of [20, 21]) await restoreOwnRsvp(week, inMinutes(minutes))
    expect(await people()).toBe(3)
    const { id } = await createVolunteerRole({ name: `Door ${++sent}`, needed: 1 }, testCall())
    const away = family.map((member) => ({ ...member, attending: false }))
    await change(linkSecret, { week: second, volunteerRoles: [1, id] }, 29)
    await change(linkSecret, { week: second, attending: false, familyMembers: away }, 30)
    expect(await people()).toBe(0)
    await send({ name: 'Bea Cole', serviceDate: second, volunteerRoles: [id] })
    await restoreOwnRsvp(week, inMinutes(40))
    expect(await people()).toBe(3)
    expect((await on(second)).at(-1)).toMatchObject({ volunteerSignups: [{ role: { id: 1 } }] })
    expect(await db.$count(rsvps)).toBe(9)
  })

  it('refuses roles that others fill in a week, and keeps them for other weeks', async () => {
    const { id, name } = await createVolunteerRole({ name: `Door ${++sent}`, needed: 1 }, testCall())
    await send({ name: 'Bea Cole', serviceDate: second, volunteerRoles: [id] })
    const { linkSecret } = await sendHousehold({ volunteerRoles: [id] })
    expect((await weeksOf(linkSecret)).slice(0, 3)).toMatchObject([{ roles: [name] }, { roles: [] }, { roles: [name] }])
    const refused = change(linkSecret, { week: second, volunteerRoles: [id] })
    await expect(refused).rejects.toMatchObject(invalidAt('volunteerRoles'))
    // The form of that week cannot show the role as chosen.
    await change(linkSecret, { week: second, volunteerRoles: [1], everyWeek: true }, 20)
    expect(await template()).toMatchObject({ volunteerRoles: [id, 1] })
    await changeVolunteerRole({ id: String(id), retired: true }, testCall())
    await change(linkSecret, { week: third, message: 'Hello' }, 30)
    expect(await on(third)).toMatchObject([{ volunteerSignups: [{ role: { id: 1 } }, { role: { id } }] }])
  })

  it('is heard of when it changes something, or says that it still comes', async () => {
    const { linkSecret } = await sendHousehold()
    await change(linkSecret, { phone: '1', everyWeek: true })
    expect(await template()).toMatchObject({ seenAt: later.now.toISOString() })
    await keepOwnStanding({ linkSecret }, inMinutes(30))
    expect(await template()).toMatchObject({ seenAt: inMinutes(30).now.toISOString() })
  })

  it('leaves alone a week that the church has deleted, and says where another RSVP counts', async () => {
    const { id, linkSecret } = await sendHousehold()
    await deleteRsvp({ id: String(id) }, testCall())
    await send({ serviceDate: second, attending: false })
    expect(await weeksOf(linkSecret)).toMatchObject(
      [{ people: 0, decidedBy: 'church' }, { decidedBy: 'another RSVP' }, { people: 3, decidedBy: 'link' }].concat(
        Array(5).fill({ decidedBy: 'link' }),
      ),
    )
    const refused = { code: 'gone', message: expect.stringMatching(/has deleted/) }
    for (const act of [changeOwnRsvp, withdrawOwnRsvp, restoreOwnRsvp])
      await expect(act({ linkSecret, week: first }, later)).rejects.toMatchObject(refused)
    // Also of a week that counts by another RSVP.
    await send({ name: 'ana cole' })
    expect((await weeksOf(linkSecret))[0]).toMatchObject({ decidedBy: 'another RSVP' })
    await deleteRsvp({ id: String((await on(first))[0]?.id) }, testCall())
    await restoreRsvps({ ids: [id] }, testCall())
    expect((await weeksOf(linkSecret))[0]).toMatchObject({ people: 3, decidedBy: 'link' })
  })

  it('says where what its person said later for every week counts', async () => {
    const { linkSecret } = await sendHousehold()
    const other = await sendHousehold({ serviceDate: second, familyMembers: [] })
    const decided = async (secret: string) => (await weeksOf(secret)).slice(0, 3).map((week) => week.decidedBy)
    expect(await decided(linkSecret)).toEqual(['link', 'another RSVP', 'another RSVP'])
    expect(await decided(other.linkSecret)).toEqual(['link', 'link', 'link'])
    await withdrawOwnRsvp(other, later)
    expect(await decided(linkSecret)).toEqual(['link', 'link', 'link'])
  })

  it('begins with a single RSVP that attends, and then all its links open the household', async () => {
    const { id, linkSecret } = await send({ attending: false })
    const mailed = await transaction((tx) => makeLink(tx, { rsvpId: id }, call))
    await expect(change(mailed, { standing: true })).rejects.toMatchObject(invalidAt('attending'))
    await expect(change(mailed, { everyWeek: true })).rejects.toMatchObject(invalidAt('everyWeek'))
    for (const minutes of [10, 20]) await change(mailed, { attending: true, standing: true }, minutes)
    expect(await db.$count(standingRsvps)).toBe(1)
    for (const secret of [linkSecret, mailed]) expect(await weeksOf(secret)).toHaveLength(8)
    // Also once its first RSVP is erased.
    await transaction((tx) => tx.delete(rsvps).where(eq(rsvps.id, id)))
    for (const secret of [linkSecret, mailed]) expect(await weeksOf(secret)).toHaveLength(7)
    await emptyTables(rsvps)
    for (const secret of [linkSecret, mailed]) await expect(weeksOf(secret)).rejects.toMatchObject(unknown)
    await writeStandingRsvps({ ...testCall(), now: new Date('2025-03-01T13:00:00Z') })
    expect((await getOwnRsvp({ linkSecret }, { ...call, now: new Date('2025-03-01T13:00:00Z') })).standing).toBeTruthy()
  })

  it('ends with what is ahead, for all its links, which then only say so and take it back', async () => {
    const { linkSecret } = await sendHousehold()
    const standingId = (await template())?.id ?? 0
    const mailed = await transaction((tx) => makeLink(tx, { standingId }, call))
    await change(linkSecret, { week: third, message: 'Hello' })
    await withdrawOwnRsvp({ linkSecret: mailed }, later)
    expect(await stored()).toEqual([])
    const before = await everyRow()
    const acts = [restoreOwnRsvp, keepOwnStanding, startOwnCalendar, revokeOwnCalendar]
    for (const secret of [linkSecret, mailed]) {
      for (const act of acts) await expect(act({ linkSecret: secret, week: second }, later)).rejects.toMatchObject(gone)
      await expect(change(secret, { message: 'Hello' })).rejects.toMatchObject({ code: 'deleted' })
      for (const week of [undefined, second]) await withdrawOwnRsvp({ linkSecret: secret, week }, inMinutes(20))
      const ended = await getOwnRsvp({ linkSecret: secret, week: second }, later)
      expect(ended).toMatchObject({
        name: 'Ana Cole',
        withdrawnAt: expect.any(String),
        standing: { countedUntil: null },
      })
    }
    expect(await everyRow()).toBe(before)
  })

  it('opens no other household, neither by what is stored nor by its calendar', async () => {
    const { linkSecret } = await sendHousehold()
    const other = await sendHousehold({ name: 'Bea Cole', email: 'bea@cole.example' })
    await startOwnCalendar({ linkSecret }, later)
    const [row] = await db.select().from(privateLinks).where(eq(privateLinks.purpose, 'calendar'))
    const token = tokenOf((await getOwnRsvp({ linkSecret }, later)).standing?.calendar)
    for (const wrong of [row?.hash ?? '', token, '1', ''])
      for (const act of [getOwnRsvp, changeOwnRsvp, startOwnCalendar, withdrawOwnRsvp])
        await expect(act({ linkSecret: wrong }, later)).rejects.toMatchObject(unknown)
    for (const wrong of [row?.hash ?? '', linkSecret, other.linkSecret, ''])
      await expect(readCalendar({ token: wrong }, later)).rejects.toMatchObject(unknown)
    await change(linkSecret, { name: 'Ana M. Cole', everyWeek: true })
    expect((await getOwnRsvp({ linkSecret: other.linkSecret }, later)).name).toBe('Bea Cole')
    expect(await everyRow()).not.toContain(token)
  })

  it('gives its weeks to a calendar until that is revoked, and empties it when it ends', async () => {
    const { linkSecret } = await sendHousehold({ volunteerRoles: [1] })
    const tokenNow = async () => tokenOf((await getOwnRsvp({ linkSecret }, later)).standing?.calendar)
    for (const minutes of [10, 11]) await startOwnCalendar({ linkSecret }, inMinutes(minutes))
    const token = await tokenNow()
    await withdrawOwnRsvp({ linkSecret, week: second }, inMinutes(12))
    const { weeks, series } = await readCalendar({ token }, later)
    expect(weeks.map(({ date }) => date).slice(0, 2)).toEqual([first, third])
    expect(weeks[0]).toMatchObject({ names: ['Ana Cole', 'Joel Cole', 'Mia Cole'], roles: [expect.any(String)] })
    await changeSchedule({ closesMinutesBefore: 60 }, testCall())
    const closed = { ...call, now: new Date('2025-01-11T09:30:00Z') }
    expect((await readCalendar({ token }, closed)).weeks[0]?.date).toBe(first)
    await revokeOwnCalendar({ linkSecret }, inMinutes(20))
    await expect(readCalendar({ token }, later)).rejects.toMatchObject(unknown)
    await startOwnCalendar({ linkSecret }, inMinutes(30))
    const another = await tokenNow()
    expect(another).not.toBe(token)
    await withdrawOwnRsvp({ linkSecret }, inMinutes(40))
    const ended = await readCalendar({ token: another }, later)
    expect(ended.weeks).toEqual([])
    expect(ended.series.id).toBe(series.id)
    expect(ended.series.revision).toBeGreaterThan(series.revision)
  })
})

/** As the page of the calendar does. */
function readCalendar(input: unknown, at: Call) {
  return getOwnCalendar(input, at, () => getCalendarSeries({}, at))
}

function tokenOf(calendar: string | null | undefined): string {
  return /^\/calendar\/own\/([\w-]{43})\.ics$/.exec(calendar ?? '')?.[1] ?? 'none'
}
