import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { db } from '#db/storage/client.ts'
import { schedules, skippedDates } from '#db/tables/invitation.ts'
import { rsvps, standingRsvps } from '#db/tables/rsvp.ts'
import { emptyTables, openForTests, testCall, testRsvp } from '#testing/database-fixtures.ts'
import { changeSchedule } from './change-schedule.ts'
import { countByWeek, countRsvps, getStatistics } from './counts.ts'
import { csvDocument } from './csv.ts'
import { deleteRsvp, restoreRsvps } from './delete.ts'
import { listRsvps, responsesFrom, responsesOf } from './list.ts'
import { changeOwnRsvp, restoreOwnRsvp, withdrawOwnRsvp } from './own-rsvp.ts'
import { changeVolunteerRole, listVolunteerRoles } from './roles.ts'
import { getSheet } from './sheet.ts'
import { changeStanding, listStanding } from './standing.ts'
import { createRsvp } from './submit.ts'
import { writeStandingRsvps } from './write-weeks.ts'
import { type Household, Model, type Row } from './year-model-fixtures.ts'

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
const some = <Item>(items: Item[]) => items[random(items.length)] as Item
const membersOf = (count: number) => Array.from({ length: count }, () => ({ name: 'Joel Cole', attending: true }))

openForTests()
beforeEach(async () => {
  seed = 1
  await emptyTables(rsvps, standingRsvps, skippedDates, schedules)
  for (const [id, needed] of Object.entries(needs)) await changeVolunteerRole({ id, needed }, at(begin))
})

async function join(model: Model, now: number): Promise<void> {
  const weeks = model.services(now)
  const since = some(weeks.slice(0, 3))
  const roles = [1, 2, 3].filter((role) => random(3) === 0 && model.room(since, role) > 0)
  const number = model.households.length
  const who = { name: `Household ${number} Cole`, email: `household${number}@example.org` }
  const members = random(4)
  const household = { id: '', linkSecret: '' as string | undefined, ...who, members, roles, since, hasEnded: false }
  if (random(4) === 0) await sendFor(model, household, some(weeks.slice(3)), now)
  const said = { ...who, familyMembers: membersOf(members), volunteerRoles: roles, serviceDate: since, standing: true }
  household.linkSecret = (await createRsvp(testRsvp(said), at(now))).linkSecret
  household.id = String((await listStanding()).at(-1)?.id)
  model.begin(household, now)
}

/** The household sends the form for one week alone. */
async function sendFor(model: Model, household: Household, week: string, now: number): Promise<void> {
  const { name, email } = household
  const coming = random(2) === 0
  const said = testRsvp({ name: name.toUpperCase(), email, attending: coming, serviceDate: week })
  const { id, linkSecret } = await createRsvp(said, at(now))
  const row = model.find(week, household)
  if (row?.state === 'live') row.state = 'superseded'
  model.say(week, household, { members: 0, roles: [], coming, sent: { id, linkSecret } })
}

/** A household changes every week by its link. */
async function changeEvery(model: Model, household: Household, now: number): Promise<void> {
  const { linkSecret } = household
  const [current = ''] = model.services(now)
  const week = model.services(now).find((day) => {
    const row = day >= household.since ? model.find(day, household) : undefined
    return row?.state === 'live' && !row.changed && !model.find(day, household, true) && day > current
  })
  if (week === undefined) return
  const members = (household.members + 1) % 4
  const had = model.find(week, household)?.roles ?? []
  const added = household.roles.includes(1) || model.room(week, 1) <= 0 ? [] : [1]
  const changes = { familyMembers: membersOf(members), volunteerRoles: [...had, ...added] }
  await changeOwnRsvp({ linkSecret, week, ...changes, everyWeek: true }, at(now))
  model.change(household, members, added, now)
}

function keepFree(model: Model, row: Row): void {
  row.roles = row.roles.filter((role) => model.room(row.day, role) > 0)
}

/** A household withdraws, takes that back, or changes one week by its link, or sends the form for it. */
async function except(model: Model, household: Household, now: number): Promise<void> {
  const week = some(model.services(now))
  const row = model.find(week, household)
  const sent = model.find(week, household, true)
  const { linkSecret } = household
  const link = { linkSecret, week }
  const kind = random(3)
  if (household.since > week || row === undefined) return
  if (sent?.sent !== undefined) {
    const { id } = sent.sent
    if (sent.state === 'deleted') await restoreRsvps({ ids: [id] }, at(now))
    else if (kind === 0) await withdrawOwnRsvp(sent.sent, at(now))
    else await deleteRsvp({ id: String(id) }, at(now))
    if (kind === 0 && sent.state === 'live' && row.state === 'superseded') keepFree(model, row)
    sent.state = sent.state === 'deleted' ? 'live' : 'deleted'
    if (row.state !== 'deleted') row.state = sent.state === 'live' ? 'superseded' : 'live'
  } else if (row.state === 'deleted') {
    await restoreOwnRsvp(link, at(now))
    keepFree(model, row)
    row.state = 'live'
  } else if (kind === 0) {
    await withdrawOwnRsvp(link, at(now))
    row.state = 'deleted'
  } else if (kind === 1) {
    await changeOwnRsvp({ ...link, familyMembers: membersOf(5), volunteerRoles: [] }, at(now))
    Object.assign(row, { members: 5, roles: [], changed: true })
  } else await sendFor(model, household, week, now)
}

/** What every surface says of a service. */
async function shownOn(week: string, now: number) {
  const call = at(now)
  const page = await listRsvps({ week, limit: 1000 }, call)
  const countOf = (status: 'attending' | 'not-attending') => countRsvps({ week, status })
  const sheet = await getSheet({ week }, call)
  const statistics = await getStatistics({ week })
  const [byWeek] = await countByWeek({ week })
  const csv = (await Array.fromAsync(csvDocument(responsesFrom(page, call)))).join('').trim().split('\r\n')
  const list = responsesOf(page).map(({ name, attending, familyMembers, volunteerSignups }) =>
    [name, attending, familyMembers.length, volunteerSignups.map(({ role }) => role.id)].join(' '),
  )
  return {
    list: list.sort(),
    csv: csv.length - 1,
    counts: [await countOf('attending'), await countOf('not-attending')],
    expected: [sheet.people, statistics.people, byWeek?.people].map((people) => people?.expected ?? 0),
    households: sheet.households.length,
    needed: sheet.roles.slice(0, 2).map(({ people }) => people.length),
    offers: statistics.roles.slice(0, 2).map(({ offers }) => offers),
    filled: (await listVolunteerRoles(call)).slice(0, 2).map(({ filled }) => filled?.[week]),
  }
}

function expectedOn(model: Model, day: string): Awaited<ReturnType<typeof shownOn>> {
  const stored = model.on(day).filter(({ state }) => state !== 'deleted')
  const coming = stored.filter((row) => row.state === 'live' && row.coming)
  const people = coming.reduce((sum, { members }) => sum + 1 + members, 0)
  const filled = [1, 2].map((role) => coming.filter(({ roles }) => roles.includes(role)).length)
  const list = stored.map(({ household: { name }, sent, coming: isComing, members, roles }) =>
    [sent ? name.toUpperCase() : name, isComing, members, roles].join(' '),
  )
  return {
    list: list.sort(),
    csv: stored.length,
    counts: [stored.filter((row) => row.coming).length, stored.filter((row) => !row.coming).length],
    expected: [people, people, people],
    households: coming.length,
    needed: filled,
    offers: filled,
    filled,
  }
}

async function live(timeZone: string, weekday: number, startTime: string, count: number, weeks: number): Promise<void> {
  const model = new Model(timeZone, weekday, startTime, begin, needs)
  const schedule = { timeZone, weekday, startTime, durationMinutes: 120, closesMinutesBefore: null }
  await changeSchedule(schedule, at(begin))
  for (let number = 0; number < count / 2; number++) await join(model, begin)
  for (let [week, now] = [0, begin]; week < weeks; week++) {
    const [day = ''] = model.services(now)
    const over = model.endOf(day)
    now = over + 60_000
    // The site is asleep.
    if (week >= 20 && week < 23) continue
    // Until its last minute a service is the current one.
    expect(await writeStandingRsvps(at(over - 60_000))).toBe(model.run(over - 60_000))
    expect(await shownOn(day, over - 60_000), `${timeZone}, before ${day} is over`).toEqual(expectedOn(model, day))
    const due = model.run(now)
    expect(await writeStandingRsvps(at(now)), `${timeZone}, after ${day}`).toBe(due)
    expect(await writeStandingRsvps(at(now))).toBe(0)
    const [next = '', later = ''] = model.services(now)
    expect(await db.$count(rsvps, eq(rsvps.serviceDate, next))).toBe(model.on(next).length)
    now = over + 40 * HOUR
    for (let more = 0; more < count / 25 && model.households.length < count; more++) await join(model, now)
    const alive = model.households.filter(({ hasEnded }) => !hasEnded)
    for (let said = 0; said < 6; said++) await except(model, some(alive), now + said * 1000)
    await changeEvery(model, some(alive), now + 10_000)
    now += HOUR
    if (week % 3 === 0) {
      const leaving = some(alive)
      await changeStanding({ id: leaving.id, comes: false }, at(now))
      model.end(leaving, now)
    }
    // The one of week 7 is held again once the service after it is written, the one of week 12 at once.
    const skipping = { 7: [[later]], 8: [[]], 12: [[next], []], 16: [[next]] }[week] ?? []
    for (const skippedDates of skipping) {
      now += HOUR
      await changeSchedule({ skippedDates }, at(now))
      model.skipped = skippedDates
      model.lookAgain(now)
    }
    const days = { 24: 1, 40: -1 }[week]
    if (days !== undefined) {
      await changeSchedule({ weekday: (model.weekday + days + 7) % 7 }, at(now))
      model.move(days, now)
    }
    for (const ahead of model.services(now).filter((_, place) => week % 5 === 0 || place === 1 + (week % 7)))
      expect(await shownOn(ahead, now), `${timeZone}, ${ahead} in week ${week}`).toEqual(expectedOn(model, ahead))
  }
}

describe('writeStandingRsvps for a year', () => {
  // 51 services that are held: of 52 weeks, one is skipped.
  it.each([
    ['America/Chicago', 6, '10:00', 24, 51],
    ['Europe/Berlin', 0, '10:00', 12, 26],
    ['Australia/Lord_Howe', 6, '23:00', 12, 26],
  ])('makes every surface say what a plain model says, in %s', live, 120_000)
})
