import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { UserError } from '#db/errors.ts'
import { describeOnBothDatabases, fileDatabase, openForTests, testCall, testRsvp } from '#db/fixtures.ts'
import { changeVolunteerRole, listVolunteerRoles } from '#db/rsvp/roles.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { db, transaction } from '#db/storage/client.ts'
import { volunteerRoles } from '#db/volunteer-role/table.ts'
import { deleteRsvp, restoreRsvp } from './delete.ts'
import { createRsvp } from './submit.ts'

const call = testCall()
const [GREETER, USHER, MUSIC] = [1, 2, 3] as const
const [THIS_WEEK, NEXT_WEEK] = ['2025-01-11', '2025-01-18'] as const
const STORED = 'stored'
const GREETER_FILLED = 'Greeter is filled for this week. Submit without it, or choose another role.'

type Wish = { attending?: boolean; volunteerRoles: number[]; serviceDate?: string; idempotencyKey?: string }

async function forgetAll(): Promise<void> {
  await transaction((tx) => tx.batch([tx.delete(rsvps), tx.update(volunteerRoles).set({ needed: null })]))
}

async function need(needed: Record<number, number | null>): Promise<void> {
  for (const [id, count] of Object.entries(needed)) await changeVolunteerRole({ id, needed: count }, call)
}

let visitors = 0
/** Each from another visitor; the same idempotency key is of the same one. */
function rsvpOf(wish: Wish) {
  return { ...testRsvp({ email: `${wish.idempotencyKey ?? ++visitors}@cole.example` }), ...wish }
}

/** What becomes of RSVPs that are all sent at once: each is stored, or gets a message. */
async function send(wishes: Wish[]): Promise<string[]> {
  const sent = wishes.map((wish) => ({ ...rsvpOf(wish), idempotencyKey: wish.idempotencyKey ?? randomUUID() }))
  return Promise.all(sent.map((each) => sendUntilReached(each)))
}

/** A hundred at once may take a server on a busy machine longer than a request waits: then it is sent again, as visitors do. */
async function sendUntilReached(sent: Parameters<typeof createRsvp>[0], triesLeft = 5): Promise<string> {
  try {
    await createRsvp(sent, call)
    return STORED
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return error.code === 'unavailable' && triesLeft > 0 ? sendUntilReached(sent, triesLeft - 1) : error.message
  }
}

/** The same, one after the other. */
async function sendInTurn(wishes: Wish[]): Promise<string[]> {
  const outcomes: string[] = []
  for (const wish of wishes) outcomes.push(...(await send([wish])))
  return outcomes
}

/** Sends RSVPs at once, in this order. @returns whether each is stored. */
async function insert(wishes: Wish[]): Promise<boolean[]> {
  return (await send(wishes)).map((outcome) => outcome === STORED)
}

async function countStored(): Promise<number> {
  return db.$count(rsvps)
}

/** Whether each finds room, where one comes after the other. */
function findRoom(wishes: Parameters<typeof insert>[0], needed: number[]): boolean[] {
  const filled = new Map<string, number>()
  return wishes.map(({ attending, volunteerRoles: roles, serviceDate }) => {
    const posts = attending ? Array.from(new Set(roles), (role) => ({ role, post: `${serviceDate} ${role}` })) : []
    const isFull = posts.some(
      ({ role, post }) => (filled.get(post) ?? 0) >= (needed[role - 1] ?? Number.POSITIVE_INFINITY),
    )
    if (!isFull) for (const { post } of posts) filled.set(post, (filled.get(post) ?? 0) + 1)
    return !isFull
  })
}

describeOnBothDatabases('roles with a need', () => {
  beforeEach(forgetAll)

  it('give the last place to one of thirty who come at once', async () => {
    await need({ [GREETER]: 1 })
    const outcomes = await send(Array.from({ length: 30 }, () => ({ volunteerRoles: [GREETER] })))
    expect(outcomes.toSorted()).toEqual([...Array(29).fill(GREETER_FILLED), STORED])
    expect(await countStored()).toBe(1)
  })

  it('take as many as they need, and then no one', async () => {
    await need({ [GREETER]: 3, [USHER]: 5 })
    await send([{ volunteerRoles: [GREETER] }])
    const outcomes = await send(Array.from({ length: 30 }, () => ({ volunteerRoles: [GREETER, USHER] })))
    expect(outcomes.toSorted()).toEqual([...Array(28).fill(GREETER_FILLED), STORED, STORED])
    expect(await send([{ volunteerRoles: [GREETER] }, { volunteerRoles: [USHER] }])).toEqual([GREETER_FILLED, STORED])
  })

  it('refuse with a message at the roles, and name all that are filled', async () => {
    await need({ [GREETER]: 1, [USHER]: 1 })
    await send([{ volunteerRoles: [GREETER, USHER], serviceDate: NEXT_WEEK }])
    const message = 'Filled for Saturday, January 18: Greeter; Usher. Submit without them, or choose another role.'
    const late = createRsvp(rsvpOf({ volunteerRoles: [MUSIC, USHER, GREETER], serviceDate: NEXT_WEEK }), call)
    await expect(late).rejects.toMatchObject({ code: 'invalid', fields: [{ path: 'volunteerRoles', message }] })
  })

  it('have as many places at each service, and none is taken by who does not attend', async () => {
    await need({ [GREETER]: 1 })
    const wishes: Wish[] = [
      { attending: false, volunteerRoles: [GREETER] },
      { volunteerRoles: [GREETER], serviceDate: NEXT_WEEK },
      { volunteerRoles: [GREETER] },
      { attending: false, volunteerRoles: [GREETER] },
      { volunteerRoles: [GREETER, GREETER] },
    ]
    expect(await sendInTurn(wishes)).toEqual([STORED, STORED, STORED, STORED, GREETER_FILLED])
  })

  it('have a place again once an RSVP is deleted, and as many as an administrator restores', async () => {
    await need({ [GREETER]: 1 })
    const { id } = await createRsvp(testRsvp({ volunteerRoles: [GREETER] }), call)
    await deleteRsvp({ id: String(id) }, call)
    expect(await send([{ volunteerRoles: [GREETER] }])).toEqual([STORED])
    await restoreRsvp({ id: String(id) }, call)
    expect((await listVolunteerRoles(call))[0]).toMatchObject({ needed: 1, filled: { [THIS_WEEK]: 2 } })
    expect(await send([{ volunteerRoles: [GREETER] }])).toEqual([GREETER_FILLED])
  })

  it('let who fills one send the form again, who then fills it once', async () => {
    await need({ [GREETER]: 1, [USHER]: 1 })
    const ana = (volunteerRoles: number[]) => createRsvp(testRsvp({ volunteerRoles }), call)
    await ana([GREETER])
    await send([{ volunteerRoles: [USHER] }])
    await ana([GREETER, MUSIC])
    expect((await listVolunteerRoles(call))[0]).toMatchObject({ filled: { [THIS_WEEK]: 1 } })
    expect(await send([{ volunteerRoles: [GREETER] }])).toEqual([GREETER_FILLED])
    await expect(ana([USHER])).rejects.toMatchObject({ code: 'invalid' })
    await ana([])
    expect(await send([{ volunteerRoles: [GREETER] }])).toEqual([STORED])
  })

  it('leave alone who fills them already when fewer are needed', async () => {
    await send([{ volunteerRoles: [GREETER] }, { volunteerRoles: [GREETER] }])
    await need({ [GREETER]: 1, [USHER]: 1 })
    expect(await countStored()).toBe(2)
    expect(await send([{ volunteerRoles: [GREETER] }, { volunteerRoles: [USHER] }])).toEqual([GREETER_FILLED, STORED])
    await need({ [GREETER]: null })
    expect(await send([{ volunteerRoles: [GREETER] }])).toEqual([STORED])
  })

  it('reply to a retry of a stored RSVP as to the first try, and count it once', async () => {
    await need({ [GREETER]: 2 })
    const once = { volunteerRoles: [GREETER], idempotencyKey: 'once' }
    const other = { volunteerRoles: [GREETER], idempotencyKey: 'other' }
    expect(await send([once, once, other, once])).toEqual(Array(4).fill(STORED))
    expect(await send([{ volunteerRoles: [GREETER] }])).toEqual([GREETER_FILLED])
    expect(await send([other, once])).toEqual([STORED, STORED])
    expect(await countStored()).toBe(2)
    const reused = createRsvp({ ...rsvpOf(once), name: 'Bea Cole' }, call)
    await expect(reused).rejects.toMatchObject({ code: 'key-reused' })
    const late = { volunteerRoles: [GREETER], idempotencyKey: 'late' }
    expect(await send([late, late, late])).toEqual(Array(3).fill(GREETER_FILLED))
  })
})

// A libSQL server may get them in another order.
describe('RSVPs that come together', () => {
  const database = fileDatabase()
  openForTests(database.url)
  afterAll(database.stop)
  beforeEach(forgetAll)

  it('keep no place for the one among them who is refused', async () => {
    await need({ [GREETER]: 1, [USHER]: 1 })
    const wishes = [[GREETER], [USHER, GREETER], [USHER], [USHER]]
    const sent = wishes.map((roles) => ({ attending: true, volunteerRoles: roles, serviceDate: THIS_WEEK }))
    expect(await insert(sent)).toEqual([true, false, true, false])
  })

  it('find room as if each came alone', async () => {
    const wish = fc.record({
      attending: fc.boolean(),
      volunteerRoles: fc.array(fc.constantFrom(GREETER, USHER, MUSIC), { maxLength: 3 }),
      serviceDate: fc.constantFrom(THIS_WEEK, NEXT_WEEK),
    })
    const needs = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }))
    const sent = fc.asyncProperty(fc.array(wish, { maxLength: 30 }), needs, async (wishes, [greeters, ushers]) => {
      await transaction((tx) => tx.delete(rsvps))
      await need({ [GREETER]: greeters, [USHER]: ushers })
      expect(await insert(wishes)).toEqual(findRoom(wishes, [greeters, ushers]))
    })
    await fc.assert(sent, { numRuns: 40 })
  })
})
