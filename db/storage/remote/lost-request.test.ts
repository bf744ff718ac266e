import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { takeFrom } from '#db/access/limits/allowance.ts'
import { allowances } from '#db/access/table.ts'
import { testCall, testRsvp } from '#db/fixtures.ts'
import { openDatabase } from '#db/open.ts'
import { createRsvp } from '#db/rsvp/operations.ts'
import { listVolunteerRoles } from '#db/rsvp/roles.ts'
import { familyMembers, rsvps, volunteerSignups } from '#db/rsvp/table.ts'
import { closeDatabase, db, openedDatabase } from '#db/storage/client.ts'
import { withDeadline } from '#db/storage/deadline.ts'
import { createVolunteerRole } from '#db/volunteer-role/operations.ts'
import { volunteerRoles } from '#db/volunteer-role/table.ts'
import { startLibsqlServer } from '../../../scripts/testing/libsql-server.mjs'
import { type Fault, startFaultyNetwork } from './faulty-network-fixtures.ts'

const call = testCall()

/** After these it is unknown whether the server executed the request. */
const ambiguous: Fault[] = [
  'the connection breaks before the server has it',
  'the reply is lost',
  'the reply is truncated',
  'a load balancer has no server',
  'a load balancer lost the server',
  'a load balancer timed out',
]

describe('a request to a libSQL server', () => {
  let server: Awaited<ReturnType<typeof startLibsqlServer>>
  let network: Awaited<ReturnType<typeof startFaultyNetwork>>
  beforeAll(async () => {
    server = await startLibsqlServer()
    network = await startFaultyNetwork(server.url)
    await openDatabase(network.url)
  })
  afterEach(() => network.clear())
  afterAll(async () => {
    await closeDatabase()
    await network.stop()
    await server.stop()
  })

  describe.each([...ambiguous, 'it is rate-limited' as const])('where %s', (fault) => {
    it('is retried if it reads, three times if necessary', async () => {
      const { retries } = openedDatabase().load()
      network.plan(fault, /volunteer_roles/, 3)
      expect(await listVolunteerRoles(call)).not.toEqual([])
      expect(network.left()).toBe(0)
      expect(openedDatabase().load()).toEqual({ waiting: 0, retries: retries + 3 })
    })

    it.each([1, 3])('stores a response once, with its family members and signups (%i failures)', async (times) => {
      const before = await counts()
      network.plan(fault, /insert into \\"rsvps\\"/, times)
      const sent = testRsvp({ familyMembers: [{ name: 'Joel Cole' }, { name: 'Dina Cole' }], volunteerRoles: [1, 2] })
      const { id } = await createRsvp(sent, call)
      expect(network.left()).toBe(0)
      expect(await counts()).toEqual({
        responses: before.responses + 1,
        members: before.members + 2,
        signups: before.signups + 2,
      })
      expect(await db.select({ id: rsvps.id }).from(rsvps).orderBy(rsvps.id)).toContainEqual({ id })
    })

    it('gives the same result for the same key, whichever attempt succeeded', async () => {
      const rsvp = { ...testRsvp(), idempotencyKey: `a key for ${fault}` }
      network.plan(fault, /insert into \\"rsvps\\"/)
      const first = await createRsvp(rsvp, call)
      const before = await counts()
      network.plan(fault, /insert into \\"rsvps\\"/)
      expect(await createRsvp(rsvp, call)).toEqual(first)
      expect(await counts()).toEqual(before)
    })

    it.each(['', 'a key'])('stores once also what takes the last of an allowance, with the key "%s"', async (key) => {
      await db.batch([db.delete(allowances)])
      const before = await counts()
      network.plan(fault, /insert into \\"rsvps\\"/)
      const visitor = testCall({ network: '203.0.113.7', allowance: { atOnce: 1, everyMs: 60_000 } })
      const { id } = await createRsvp({ ...testRsvp(), ...(key && { idempotencyKey: `${key}, ${fault}` }) }, visitor)
      expect(network.left()).toBe(0)
      expect(await db.select({ id: rsvps.id }).from(rsvps)).toContainEqual({ id })
      expect(await counts()).toEqual({ ...before, responses: before.responses + 1 })
    })

    it('takes from the allowance of a visitor', async () => {
      network.plan(fault, /insert into \\"allowances\\"/)
      expect(await takeFrom(fault, { atOnce: 10, everyMs: 1000 }, call.now)).toBe(0)
      expect(network.left()).toBe(0)
    })
  })

  it.each(ambiguous)('does not repeat a write that is not repeatable, where %s', async (fault) => {
    network.plan(fault, /insert into \\"volunteer_roles\\"/)
    const name = `Role for ${fault}`.slice(0, 80)
    await expect(createVolunteerRole({ name }, call)).rejects.toMatchObject({ code: 'unavailable' })
    expect(network.left()).toBe(0)
    const named = await db.select({ name: volunteerRoles.name }).from(volunteerRoles)
    expect(named.filter((role) => role.name === name).length).toBeLessThanOrEqual(1)
  })

  it('repeats any write that was rate-limited', async () => {
    network.plan('it is rate-limited', /insert into \\"volunteer_roles\\"/, 3)
    const made = await createVolunteerRole({ name: 'Sent again' }, call)
    expect(network.left()).toBe(0)
    expect(await listVolunteerRoles(call)).toContainEqual(made)
  })

  it('ends at its deadline, and does not block later requests', async () => {
    network.plan('no reply comes', /volunteer_roles|insert into/, 1000)
    const started = performance.now()
    const waiting = Array.from({ length: 30 }, () => [
      withDeadline(() => listVolunteerRoles(call)),
      withDeadline(() => createRsvp(testRsvp(), call)),
      withDeadline(() => createVolunteerRole({ name: 'Never' }, call)),
    ]).flat()
    for (const outcome of await Promise.allSettled(waiting)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } })
    }
    expect(performance.now() - started).toBeLessThan(10_000)
    network.clear()
    expect(await listVolunteerRoles(call)).not.toEqual([])
  })
})

async function counts() {
  return {
    responses: await db.$count(rsvps),
    members: await db.$count(familyMembers),
    signups: await db.$count(volunteerSignups),
  }
}
