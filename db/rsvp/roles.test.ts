import { beforeEach, describe, expect, it } from 'vitest'
import { getSchedule } from '#db/schedule.ts'
import { db, transaction } from '#db/storage/client.ts'
import { auditEntries } from '#db/tables/access.ts'
import { rsvps, volunteerRoles } from '#db/tables/rsvp.ts'
import { auditLines, emptyTables, invalidAt, openForTests, testCall, testRsvp } from '#testing/database-fixtures.ts'
import { deleteRsvp, restoreRsvps } from './delete.ts'
import { changeRsvp } from './entry.ts'
import { changeOwnRsvp, restoreOwnRsvp, withdrawOwnRsvp } from './own-rsvp.ts'
import { changeVolunteerRole, createVolunteerRole, listVolunteerRoles } from './roles.ts'
import { listFilledRoles } from './sheet.ts'
import { createRsvp } from './submit.ts'

const administrator = testCall()
const visitor = testCall({ role: 'visitor', actor: 'visitor' })
const [GREETER, USHER, MUSIC] = [1, 2, 3] as const
const [THIS_WEEK, NEXT_WEEK] = ['2025-01-11', '2025-01-18']
const STORED = 'stored'
const GREETER_FILLED = 'Greeter is filled for this week. Submit without it, or choose another role.'
const FILLED = { fields: [{ path: 'volunteerRoles', message: expect.stringContaining('is filled') }] }

type Wish = { attending?: boolean; volunteerRoles: number[]; serviceDate?: string; idempotencyKey?: string }

async function need(needed: Record<number, number | null>): Promise<void> {
  for (const [id, count] of Object.entries(needed)) await changeVolunteerRole({ id, needed: count }, administrator)
}

let visitors = 0
/** Each from another visitor; the same idempotency key is of the same one. */
function rsvpOf(wish: Wish) {
  return { ...testRsvp({ email: `${wish.idempotencyKey ?? ++visitors}@cole.example` }), ...wish }
}

/** What becomes of RSVPs that are all sent at once: each is stored, or gets a message. */
async function sendAll(wishes: Wish[]): Promise<string[]> {
  const ends = await Promise.allSettled(wishes.map((wish) => createRsvp(rsvpOf(wish), administrator)))
  return ends.map((end) => (end.status === 'fulfilled' ? STORED : end.reason.message))
}
const many = (count: number, ...roles: number[]) => Array.from({ length: count }, () => ({ volunteerRoles: roles }))

openForTests()
beforeEach(() => transaction((tx) => tx.batch([tx.delete(rsvps), tx.update(volunteerRoles).set({ needed: null })])))

describe('roles with a need', () => {
  it('take as many as they need, and then no one', async () => {
    await need({ [GREETER]: 3, [USHER]: 5 })
    await sendAll(many(1, GREETER))
    const outcomes = await sendAll(many(10, GREETER, USHER))
    expect(outcomes.toSorted()).toEqual([...Array(8).fill(GREETER_FILLED), STORED, STORED])
    expect(await sendAll([...many(1, GREETER), ...many(1, USHER)])).toEqual([GREETER_FILLED, STORED])
  })

  it('refuse with a message at the roles, and name all that are filled', async () => {
    await need({ [GREETER]: 1, [USHER]: 1 })
    await sendAll([{ volunteerRoles: [GREETER, USHER], serviceDate: NEXT_WEEK }])
    const message = 'Filled for Saturday, January 18: Greeter and Usher. Submit without them, or choose another role.'
    const late = createRsvp(rsvpOf({ volunteerRoles: [MUSIC, USHER, GREETER], serviceDate: NEXT_WEEK }), administrator)
    await expect(late).rejects.toMatchObject({ code: 'invalid', fields: [{ path: 'volunteerRoles', message }] })
  })

  it('have as many places at each service, and none is taken by who does not attend', async () => {
    await need({ [GREETER]: 1 })
    const away = { attending: false, volunteerRoles: [GREETER] }
    const nextWeek = { volunteerRoles: [GREETER], serviceDate: NEXT_WEEK }
    const outcomes = await sendAll([away, nextWeek, ...many(1, GREETER), away, ...many(1, GREETER, GREETER)])
    expect(outcomes).toEqual([STORED, STORED, STORED, STORED, GREETER_FILLED])
  })

  it('have a place again once an RSVP is deleted, and as many as an administrator restores', async () => {
    await need({ [GREETER]: 1 })
    const { id } = await createRsvp(testRsvp({ volunteerRoles: [GREETER] }), administrator)
    await deleteRsvp({ id: String(id) }, administrator)
    expect(await sendAll(many(1, GREETER))).toEqual([STORED])
    await restoreRsvps({ ids: [id] }, administrator)
    expect((await listVolunteerRoles(visitor))[0]).toMatchObject({ needed: 1, filled: { [THIS_WEEK]: 2 } })
    expect(await sendAll(many(1, GREETER))).toEqual([GREETER_FILLED])
  })

  it('let who fills one send the form again, who then fills it once', async () => {
    await need({ [GREETER]: 1, [USHER]: 1 })
    await ana([GREETER])
    await sendAll(many(1, USHER))
    await ana([GREETER, MUSIC])
    expect((await listVolunteerRoles(visitor))[0]).toMatchObject({ filled: { [THIS_WEEK]: 1 } })
    expect(await sendAll(many(1, GREETER))).toEqual([GREETER_FILLED])
    await expect(ana([USHER])).rejects.toMatchObject({ code: 'invalid' })
    await ana([])
    expect(await sendAll(many(1, GREETER))).toEqual([STORED])
  })

  it('reply to a retry of a stored RSVP as to the first try, and count it once', async () => {
    await need({ [GREETER]: 2 })
    const withKey = (idempotencyKey: string) => ({ volunteerRoles: [GREETER], idempotencyKey })
    const [once, other, late] = [withKey('once'), withKey('other'), withKey('late')]
    expect(await sendAll([once, once, other, once])).toEqual(Array(4).fill(STORED))
    expect(await sendAll([...many(1, GREETER), other, once])).toEqual([GREETER_FILLED, STORED, STORED])
    expect(await db.$count(rsvps)).toBe(2)
    expect(await sendAll([late, late])).toEqual(Array(2).fill(GREETER_FILLED))
  })
})

let minutes = 0
/** A minute later each time. */
const later = () => ({ ...visitor, now: new Date(visitor.now.getTime() + ++minutes * 60_000) })
async function send(changes: Record<string, unknown> = {}) {
  const { id, linkSecret = '' } = await createRsvp(testRsvp(changes), later())
  return { id: String(id), linkSecret }
}
const ana = (roles: number[]) => send({ volunteerRoles: roles })
const bob = (roles: number[]) => send({ name: 'Bob Roe', email: 'bob@roe.example', volunteerRoles: roles })
type Sent = { linkSecret: string }
const change = ({ linkSecret }: Sent, changes: object) => changeOwnRsvp({ linkSecret, ...changes }, later())
const withdraw = ({ linkSecret }: Sent) => withdrawOwnRsvp({ linkSecret }, later())
const peopleIn = async (role: number) => (await listFilledRoles(THIS_WEEK)).find(({ id }) => id === role)?.people

describe('the last place in a role, where a person has sent several RSVPs', () => {
  beforeEach(() => need({ [GREETER]: 1, [USHER]: 1 }))

  it('is not taken again by a change of the earlier one, which another fills by then', async () => {
    const first = await ana([GREETER])
    await ana([])
    await bob([GREETER])
    await expect(change(first, { message: 'Hello' })).rejects.toMatchObject(FILLED)
    await change(first, { message: 'Hello', volunteerRoles: [] })
    expect(await peopleIn(GREETER)).toEqual(['Bob Roe'])
  })

  it('is kept by their change of any of them while they have it, and can be claimed by each', async () => {
    const [first, second, third] = [await ana([GREETER]), await ana([GREETER]), await ana([])]
    await change(second, { message: 'Hello' })
    await change(first, { message: 'Hello' })
    await change(third, { volunteerRoles: [GREETER] })
    expect((await listVolunteerRoles(visitor))[0]).toMatchObject({ filled: { [THIS_WEEK]: 1 } })
    await expect(bob([GREETER])).rejects.toMatchObject(FILLED)
  })

  it('goes back to the earlier one once the newest is withdrawn, and to the newest where that is taken back', async () => {
    await ana([GREETER])
    const newest = await ana([GREETER])
    await withdraw(newest)
    expect(await peopleIn(GREETER)).toEqual(['Ana Cole'])
    await restoreOwnRsvp({ linkSecret: newest.linkSecret }, later())
    expect(await peopleIn(GREETER)).toEqual(['Ana Cole'])
  })

  it('is not taken again by one whose withdrawal is taken back, if another has filled it since', async () => {
    const only = await ana([GREETER, MUSIC])
    await withdraw(only)
    await bob([GREETER])
    await restoreOwnRsvp({ linkSecret: only.linkSecret }, later())
    expect([await peopleIn(GREETER), await peopleIn(MUSIC)]).toEqual([['Bob Roe'], ['Ana Cole']])
  })

  it('stays with one more than needed where an administrator decides so, also when its sender changes the rest', async () => {
    const [first, second] = [await ana([GREETER]), await ana([])]
    await bob([GREETER])
    await deleteRsvp({ id: second.id }, later())
    await change(first, { message: 'Hello' })
    await changeRsvp({ id: first.id, message: 'By telephone' }, { ...later(), role: 'owner' })
    expect(await peopleIn(GREETER)).toEqual(['Ana Cole', 'Bob Roe'])
  })
})

describe('a volunteer role', () => {
  const seeded = ['Greeter', 'Usher', 'Music', "Children's Class", 'Audio and Video', 'Fellowship Meal']
  const names = async () => (await listVolunteerRoles(visitor)).map(({ name }) => name)
  const inUse = (name: string) => ({
    code: 'invalid',
    fields: [{ path: 'name', message: `There is a role named ${name} already. Give this one another name.` }],
  })

  it('is one of the six seeded ones, or added, renamed, retired and offered again', async () => {
    await emptyTables(auditEntries)
    const { id } = await createVolunteerRole({ name: ' Parking ' }, administrator)
    expect(await names()).toEqual([...seeded, 'Parking'])
    const change = (changes: object) => changeVolunteerRole({ id: String(id), ...changes }, administrator)
    expect(await change({ name: 'Parking Lot' })).toEqual({ id, name: 'Parking Lot' })
    await change({ retired: true })
    expect(await names()).toEqual(seeded)
    await change({ retired: false })
    expect(await names()).toEqual([...seeded, 'Parking Lot'])
    const acts = ['added', 'changed', 'changed', 'changed']
    expect(await auditLines()).toEqual(acts.map((act) => `${administrator.actor}: role ${act} ${id}`))
    await change({ retired: true })
  })

  const [invisible, long] = ['\u200b', 'x'.repeat(81)]
  it.each<[string, object]>([
    ...[invisible, long, undefined].map((name): [string, object] => ['name', { name }]),
    ...[0, 1000, 1.5, '3'].map((needed): [string, object] => ['needed', { name: 'Door', needed }]),
  ])('is refused with a wrong %s: %j', async (path, role) => {
    await expect(createVolunteerRole(role, administrator)).rejects.toMatchObject(invalidAt(path))
    await expect(changeVolunteerRole({ id: '1', ...role }, administrator)).rejects.toMatchObject({ code: 'invalid' })
    const unknown = changeVolunteerRole({ id: '999', name: 'Parking' }, administrator)
    await expect(unknown).rejects.toMatchObject({ code: 'not-found' })
  })

  it('without a need is an id and a name, otherwise says how many fill it at each of the next services', async () => {
    expect(await changeVolunteerRole({ id: '3', needed: 2 }, administrator)).toMatchObject({ id: 3, needed: 2 })
    await sendAll([...many(1, MUSIC, USHER), { volunteerRoles: [MUSIC], serviceDate: NEXT_WEEK }])
    const [, usher, music] = await listVolunteerRoles(visitor)
    expect(usher).toEqual({ id: 2, name: 'Usher' })
    const { services } = await getSchedule(administrator)
    const filled = Object.fromEntries(services.map(({ date }) => [date, Number(date <= NEXT_WEEK)]))
    expect(music).toEqual({ id: 3, name: 'Music', needed: 2, filled })
  })

  it('has no name that is in use, in capitals too, but its own, also once it comes back', async () => {
    const change = (id: number, changes: object) => changeVolunteerRole({ id: String(id), ...changes }, administrator)
    await expect(createVolunteerRole({ name: 'USHER' }, administrator)).rejects.toMatchObject(inUse('USHER'))
    await expect(change(1, { name: 'USHER' })).rejects.toMatchObject(inUse('USHER'))
    for (const name of ['usher', 'Usher']) expect(await change(2, { name })).toEqual({ id: 2, name })
    await change(2, { retired: true })
    const { id } = await createVolunteerRole({ name: 'USHER' }, administrator)
    await expect(change(2, { retired: false })).rejects.toMatchObject(inUse('Usher'))
    await change(id, { retired: true })
    await change(2, { retired: false })
  })
})
