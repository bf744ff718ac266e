import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { takeFrom } from '#db/access/limits/allowance.ts'
import { familyMembers } from '#db/family-member/table.ts'
import { testCall, testRsvp } from '#db/fixtures.ts'
import { openDatabase } from '#db/open.ts'
import { createRsvp } from '#db/rsvp/operations.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { createVolunteerRole, listVolunteerRoles } from '#db/volunteer-role/operations.ts'
import { volunteerRoles, volunteerSignups } from '#db/volunteer-role/table.ts'
import { startLibsqlServer } from '../../scripts/testing/libsql-server.mjs'
import { closeDatabase, db } from './client.ts'
import { type Fault, startFaultyNetwork } from './faulty-network-fixtures.ts'

const call = testCall()

/** Nobody knows then whether the server has done what it was asked. */
const unclear: Fault[] = [
  'the connection is cut before the server has it',
  'the answer is lost',
  'the answer is cut off',
  'a load balancer has no server',
  'a load balancer lost the server',
  'a load balancer lost patience',
]

describe('a request to a libSQL server', () => {
  let server: Awaited<ReturnType<typeof startLibsqlServer>>
  let network: Awaited<ReturnType<typeof startFaultyNetwork>>
  beforeAll(async () => {
    server = await startLibsqlServer()
    network = await startFaultyNetwork(server.url)
    await openDatabase(network.url)
  })
  afterEach(() => network.forgive())
  afterAll(async () => {
    await closeDatabase()
    await network.stop()
    await server.stop()
  })

  describe.each([...unclear, 'it is refused' as const])('of which %s', (fault) => {
    it('is asked again, three times if it must be', async () => {
      network.plan(fault, /volunteer_roles/, 3)
      expect(await listVolunteerRoles(undefined, call)).not.toEqual([])
      expect(network.left()).toBe(0)
    })

    it.each([1, 3])('has a response once, with all that belongs to it (%i times)', async (times) => {
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

    it('answers the same to the same key, whichever try it was', async () => {
      const submission = { ...call, idempotencyKey: `a key for ${fault}` }
      network.plan(fault, /insert into \\"rsvps\\"/)
      const first = await createRsvp(testRsvp(), submission)
      const before = await counts()
      network.plan(fault, /insert into \\"rsvps\\"/)
      expect(await createRsvp(testRsvp(), submission)).toEqual(first)
      expect(await counts()).toEqual(before)
    })

    it('lets a visitor take from his allowance', async () => {
      network.plan(fault, /insert into \\"allowances\\"/)
      expect(await takeFrom(fault, { atOnce: 10, everyMs: 1000 }, call.now)).toBe(0)
      expect(network.left()).toBe(0)
    })
  })

  it.each(unclear)('is not told a second time what may not be done twice, when %s', async (fault) => {
    network.plan(fault, /insert into \\"volunteer_roles\\"/)
    const name = `Role for ${fault}`.slice(0, 80)
    await expect(createVolunteerRole({ name }, call)).rejects.toMatchObject({ code: 'unavailable' })
    expect(network.left()).toBe(0)
    const named = await db.select({ name: volunteerRoles.name }).from(volunteerRoles)
    expect(named.filter((role) => role.name === name).length).toBeLessThanOrEqual(1)
  })

  it('is told again what it has refused to take', async () => {
    network.plan('it is refused', /insert into \\"volunteer_roles\\"/, 3)
    const made = await createVolunteerRole({ name: 'Told again' }, call)
    expect(network.left()).toBe(0)
    expect(await listVolunteerRoles(undefined, call)).toContainEqual(made)
  })

  it('is waited for no longer than a request may take, and holds up nobody afterwards', async () => {
    network.plan('nobody answers', /volunteer_roles|insert into/, 1000)
    const started = performance.now()
    const waiting = Array.from({ length: 30 }, () => [
      listVolunteerRoles(undefined, call),
      createRsvp(testRsvp(), call),
      createVolunteerRole({ name: 'Never' }, call),
    ]).flat()
    for (const outcome of await Promise.allSettled(waiting)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } })
    }
    expect(performance.now() - started).toBeLessThan(10_000)
    network.forgive()
    expect(await listVolunteerRoles(undefined, call)).not.toEqual([])
  })
})

async function counts() {
  return {
    responses: await db.$count(rsvps),
    members: await db.$count(familyMembers),
    signups: await db.$count(volunteerSignups),
  }
}
