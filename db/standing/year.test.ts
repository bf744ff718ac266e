import { and, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { clockMarks } from '#db/clock/table.ts'
import { emptyTables, openForTests, testCall, testRsvp } from '#db/fixtures.ts'
import { countByWeek, countRsvps, getStatistics } from '#db/rsvp/counts.ts'
import { csvDocument } from '#db/rsvp/csv.ts'
import { deleteRsvp } from '#db/rsvp/delete.ts'
import { changeRsvp } from '#db/rsvp/entry.ts'
import { listRsvps, responsesFrom, responsesOf } from '#db/rsvp/list.ts'
import { changeVolunteerRole, listVolunteerRoles } from '#db/rsvp/roles.ts'
import { changeSchedule, skipService, unskipService } from '#db/rsvp/service-dates.ts'
import { getSheet } from '#db/rsvp/sheet.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { insertRsvps } from '#db/rsvp/write.ts'
import { schedules, skippedDates } from '#db/schedule/table.ts'
import { db, transaction } from '#db/storage/client.ts'
import { type Household, Model } from './model-fixtures.ts'
import { endStanding } from './operations.ts'
import { standingRsvps } from './table.ts'
import { writeStandingRsvps } from './write.ts'

const HOUR = 3600 * 1000
const begin = Date.parse('2026-11-18T12:00:00Z')
const needs = { 1: 5, 2: 3 }
const at = (now: number) => testCall({ now: new Date(now) })

/** The same numbers each time. */
let seed = 1
function random(below: number): number {
  seed = (seed * 48271) % 2147483647
  return seed % below
}
const some = <Item>(items: Item[]): Item | undefined => items[random(items.length || 1)]

openForTests()
beforeEach(async () => {
  seed = 1
  await emptyTables(rsvps, standingRsvps, skippedDates, schedules)
  await transaction((tx) => tx.update(clockMarks).set({ seenAt: '', doubtedAt: null }))
  for (const [id, needed] of Object.entries(needs)) await changeVolunteerRole({ id, needed }, at(begin))
})

const membersOf = (count: number) =>
  Array.from({ length: count }, (_, member) => ({ name: `Child ${member}`, age: 'child' as const, attending: true }))

/** The RSVP of a household's standing RSVP for a day. */
async function idOf(day: string, { name }: Household): Promise<string> {
  const isTheirs = and(eq(rsvps.serviceDate, day), eq(rsvps.name, name))
  const [found] = await db.select({ id: rsvps.id }).from(rsvps).where(isTheirs)
  return String(found?.id)
}

async function join(model: Model, number: number, now: number): Promise<void> {
  const since = some(model.services(now, 3)) ?? ''
  const roles = [1, 2, 3].filter((role) => random(3) === 0 && model.room(since, role) > 0)
  const [name, email] = [`Household ${number} Cole`, `household${number}@example.org`]
  const members = random(4)
  const sent = {
    name,
    email,
    familyMembers: membersOf(members),
    volunteerRoles: roles,
    serviceDate: since,
    standing: true,
  }
  await createRsvp(testRsvp(sent), at(now))
  const stored = await db.select({ id: standingRsvps.id, name: standingRsvps.name }).from(standingRsvps)
  const household = {
    id: stored.find((standing) => standing.name === name)?.id ?? 0,
    name,
    email,
    members,
    roles,
    since,
  }
  model.households.push(household)
  model.add(since, household)
}

/** What a household or the church says for one week: withdrawn, changed, not written yet, or sent by the form. */
async function except(model: Model, household: Household, now: number): Promise<void> {
  const call = at(now)
  const [current = '', , later = ''] = model.services(now, 3)
  const row = model.find(current, household)
  const kind = random(4)
  if (kind === 0 && row?.state === 'live') {
    await deleteRsvp({ id: await idOf(current, household) }, call)
    Object.assign(row, { state: 'deleted', touched: true })
  }
  if (kind === 1 && row?.state === 'live') {
    await changeRsvp({ id: await idOf(current, household), familyMembers: [], volunteerRoles: [] }, call)
    Object.assign(row, { members: 0, roles: [], touched: true })
  }
  if (kind === 2 && household.since <= later && model.rowsOn(later).every((other) => other.household !== household)) {
    const { name, email, id: standingId } = household
    const none = { phone: undefined, message: undefined, calendarType: undefined, addToCalendar: false, bodyHash: null }
    const empty = { ...none, firstVisit: false, remind: false, familyMembers: membersOf(1), volunteerRoles: [] }
    const moments = { createdAt: call.now.toISOString(), changedAt: call.now.toISOString() }
    const said = { name, email, attending: true, serviceDate: later, standingId, key: `${standingId} ${later}` }
    await transaction((tx) => insertRsvps(tx, [{ ...empty, ...said, ...moments }]))
    model.add(later, household, { members: 1, roles: [] })
  }
  const day = some([current, later]) ?? ''
  if (kind === 3 && model.rowsOn(day).every((other) => other.household !== household || !other.touched)) {
    const coming = random(2) === 0
    const sent = { name: household.name.toUpperCase(), email: household.email, attending: coming, serviceDate: day }
    await createRsvp(testRsvp(sent), call)
    const earlier = model.find(day, household)
    if (earlier?.state === 'live') earlier.state = 'superseded'
    model.add(day, household, { members: 0, roles: [], coming, sent: true })
  }
}

/** What every surface says of a service. */
async function shownOn(day: string, now: number) {
  const call = at(now)
  const [page, counts, sheet, statistics, weeks, roles] = await Promise.all([
    listRsvps({ week: day, limit: 1000 }, call),
    countRsvps({ week: day }, call),
    getSheet({ week: day }, call),
    getStatistics({ week: day }, call),
    countByWeek({ week: day }, call),
    listVolunteerRoles(call),
  ])
  const csv = (await Array.fromAsync(csvDocument(responsesFrom(page, call)))).join('').trim().split('\r\n')
  return {
    list: responsesOf(page)
      .map(({ name, attending, familyMembers, volunteerSignups }) =>
        [name, attending, familyMembers.length, volunteerSignups.map(({ role }) => role.id)].join(' '),
      )
      .sort(),
    csv: csv.length - 1,
    counts: [counts.attending, counts.notAttending],
    expected: [sheet.people, statistics.people, weeks[0]?.people].map((people) => people?.expected ?? 0),
    households: sheet.households.length,
    needed: sheet.roles.slice(0, 2).map(({ people }) => people.length),
    offers: statistics.roles.slice(0, 2).map(({ offers }) => offers),
    filled: roles.slice(0, 2).map(({ filled }) => filled?.[day]),
  }
}

function expectedOn(model: Model, day: string): Awaited<ReturnType<typeof shownOn>> {
  const stored = model.rowsOn(day).filter(({ state }) => state !== 'deleted')
  const live = stored.filter(({ state }) => state === 'live')
  const coming = live.filter((row) => row.coming)
  const people = coming.reduce((sum, { members }) => sum + 1 + members, 0)
  const filled = [1, 2].map((role) => coming.filter(({ roles }) => roles.includes(role)).length)
  const nameOf = ({ household, sent }: (typeof stored)[number]) =>
    sent ? household.name.toUpperCase() : household.name
  return {
    list: stored.map((row) => [nameOf(row), row.coming, row.members, row.roles].join(' ')).sort(),
    csv: stored.length,
    counts: [stored.filter((row) => row.coming).length, stored.filter((row) => !row.coming).length],
    expected: [people, people, people],
    households: coming.length,
    ...{ needed: filled, offers: filled, filled },
  }
}

async function live(zone: string, weekday: number, startTime: string, count: number, weeks: number): Promise<void> {
  const model = new Model(zone, weekday, startTime, begin, needs)
  await changeSchedule(
    { timeZone: zone, weekday, startTime, durationMinutes: 120, closesMinutesBefore: null },
    at(begin),
  )
  let joined = 0
  const joining = async (most: number, now: number) => {
    for (let some = 0; some < most && joined < count; some++) await join(model, joined++, now)
  }
  await joining(count / 4, begin)
  for (let [week, now] = [0, begin]; week < weeks; week++) {
    const [day = ''] = model.services(now, 1)
    const over = model.endOf(day)
    now = over + 60_000
    // The site is asleep.
    if (week >= 20 && week < 23) continue
    // Until its last minute a service is the current one.
    expect(await writeStandingRsvps(at(over - 60_000))).toBe(model.run(over - 60_000))
    expect(await shownOn(day, over - 60_000), `${zone}, before ${day} is over`).toEqual(expectedOn(model, day))
    const due = model.run(now)
    expect(await writeStandingRsvps(at(now)), `${zone}, after ${day}`).toBe(due)
    expect(await writeStandingRsvps(at(now))).toBe(0)
    const [next = '', later = ''] = model.services(now, 2)
    expect(await db.$count(rsvps, eq(rsvps.serviceDate, next))).toBe(model.rowsOn(next).length)
    now = over + 40 * HOUR
    await joining(Math.ceil(count / 40), now)
    const alive = model.households.filter(({ id }) => !model.ended.has(id))
    for (let said = 0; said < count / 25 + 1; said++) await except(model, some(alive) as Household, now + said * 1000)
    now += HOUR
    const leaving = week % 3 === 0 ? some(alive) : undefined
    if (leaving !== undefined) {
      await endStanding({ id: String(leaving.id) }, at(now))
      model.end(leaving, now)
    }
    const skipping = week === 7 ? later : week === 12 || week === 16 ? next : undefined
    if (skipping !== undefined) {
      await skipService({ date: skipping }, at(now))
      model.skip(skipping, now)
    }
    if (week === 12) {
      now += HOUR
      await unskipService({ date: next }, at(now))
      model.unskip(next, now)
    }
    const days = week === 24 ? 1 : week === 40 ? -1 : 0
    if (days !== 0) {
      const moved = (model.weekday + days + 7) % 7
      expect((await changeSchedule({ weekday: moved }, at(now))).movedDays).toBe(days)
      model.move(moved, days, now)
    }
  }
}

describe('writeStandingRsvps for a year', () => {
  it(
    'makes every surface say what a plain model says, for 200 households',
    () => live('America/Chicago', 6, '10:00', 200, 50),
    60_000,
  )

  it.each([
    ['Europe/Berlin', 0, '10:00'],
    ['Pacific/Auckland', 0, '18:30'],
    ['Australia/Lord_Howe', 6, '23:00'],
    ['Africa/Cairo', 5, '08:15'],
    ['America/St_Johns', 3, '19:00'],
  ])('does so in %s', (zone, weekday, time) => live(zone, weekday, time, 20, 26), 60_000)
})
