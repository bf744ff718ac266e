import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { allowances } from '#db/access/table.ts'
import { testCall, testRsvp } from '#db/fixtures.ts'
import { openDatabase } from '#db/open.ts'
import { listVolunteerRoles } from '#db/rsvp/roles.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { familyMembers, rsvps, volunteerSignups } from '#db/rsvp/table.ts'
import { closeDatabase, db, transaction } from '#db/storage/client.ts'
import { createVolunteerRole } from '#db/volunteer-role/operations.ts'
import { volunteerRoles } from '#db/volunteer-role/table.ts'
import { startLibsqlServer } from '../../scripts/testing/libsql-server.mjs'
import { openedDatabase } from './client.ts'
import { withDeadline } from './deadline.ts'
import type { Fault } from './faulty-network-fixtures.ts'
import { startFaultyNetwork } from './faulty-network-fixtures.ts'

import { serverToken } from './server-token-fixtures.ts'

const call = testCall()
const KILLS = 4

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

    it('gives the same result for the same key, whichever commit arrived', async () => {
      const rsvp = { ...testRsvp(), idempotencyKey: `a key for ${fault}` }
      network.plan(fault, /COMMIT/)
      const first = await createRsvp(rsvp, call)
      const before = await counts()
      network.plan(fault, /COMMIT/)
      expect(await createRsvp(rsvp, call)).toEqual(first)
      expect(await counts()).toEqual(before)
    })
  })

  // The server keeps the lock of the first try for some seconds.
  it.each<Fault>(['the reply is lost', 'the connection breaks before the server has it'])(
    'stores a response once, whole and with the last of an allowance, where in the middle %s',
    async (fault) => {
      await transaction((tx) => tx.delete(allowances))
      const before = await counts()
      network.plan(fault, /insert into \\"rsvps\\"/)
      const sent = testRsvp({ familyMembers: [{ name: 'Joel Cole' }, { name: 'Dina Cole' }], volunteerRoles: [1, 2] })
      const visitor = testCall({ network: '203.0.113.7', allowance: { atOnce: 1, everyMs: 60_000 } })
      const { id } = await createRsvp(sent, visitor)
      expect(network.left()).toBe(0)
      expect(await counts()).toEqual({
        responses: before.responses + 1,
        members: before.members + 2,
        signups: before.signups + 2,
      })
      expect(await db.select({ id: rsvps.id }).from(rsvps).orderBy(rsvps.id)).toContainEqual({ id })
    },
  )

  it.each(ambiguous)('does not repeat a write that is not repeatable, where of its COMMIT %s', async (fault) => {
    network.plan(fault, /COMMIT/)
    const name = `Role for ${fault}`.slice(0, 80)
    await expect(createVolunteerRole({ name }, call)).rejects.toMatchObject({ code: 'unavailable' })
    expect(network.left()).toBe(0)
    const named = await db.select({ name: volunteerRoles.name }).from(volunteerRoles)
    expect(named.filter((role) => role.name === name).length).toBeLessThanOrEqual(1)
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
    expect(performance.now() - started).toBeLessThan(12_000)
    network.clear()
    expect(await listVolunteerRoles(call)).not.toEqual([])
  })
})

describe('a libSQL server that is killed and started again', () => {
  let server: Awaited<ReturnType<typeof startLibsqlServer>>
  beforeAll(async () => {
    server = await startLibsqlServer()
    // A name can have two addresses of which only one is in use.
    await openDatabase(server.url.replace('127.0.0.1', 'localhost'))
  })
  afterAll(async () => {
    await closeDatabase()
    await server.stop()
  })

  it('does not fail later calls on connections that were open before', async () => {
    for (let round = 1; round <= KILLS; round++) {
      // Opens as many connections as the site may.
      await Promise.all(Array.from({ length: 40 }, () => listVolunteerRoles(call)))
      await server.kill()
      await server.start()
      await Promise.all([
        createVolunteerRole({ name: `Role ${round}` }, call),
        ...Array.from({ length: 40 }, () => createRsvp(testRsvp(), call)),
      ])
      expect(await db.$count(rsvps)).toBe(round * 40)
    }
  })

  it('says of more than it takes at once that it is too much, and not that it is down', async () => {
    const tooLarge = db.select({ size: sql`length(${'a'.repeat(6_000_000)})` }).from(rsvps)
    const reason = { code: 'too-large', message: expect.stringMatching(/in parts/) }
    await expect(tooLarge).rejects.toMatchObject({ cause: reason })
  })

  it('delays calls made while it is down', async () => {
    const before = await db.$count(rsvps)
    for (let round = 1, isOver = false; !isOver; round++) {
      await server.kill()
      const killed = performance.now()
      const waiting = Promise.allSettled([
        createVolunteerRole({ name: `Waited for ${round}` }, call),
        ...Array.from({ length: 40 }, (_, number) => createRsvp({ ...testRsvp(), idempotencyKey: `${number}` }, call)),
      ])
      await server.start()
      const downMs = performance.now() - killed
      const failed = (await waiting).flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
      isOver = failed.length === 0
      // On a busy machine it may have been down for longer than the deadline: then try once more.
      if (downMs < 4000) expect(failed).toEqual([])
      for (const error of failed) isUnavailable(error)
    }
    expect(await db.$count(rsvps)).toBe(before + 40)
  })

  it('stores each response once that was sent while it was killed', async () => {
    const before = await counts()
    let sent = 0
    let isOver = false
    const sender = async () => {
      while (!isOver) {
        const idempotencyKey = `killed ${sent++}`
        const rsvp = testRsvp({ familyMembers: [{ name: 'Joel Cole' }], volunteerRoles: [1] })
        // On a busy machine it may be down for longer than the deadline: the sender tries again.
        while (!(await createRsvp({ ...rsvp, idempotencyKey }, call).catch(isUnavailable)));
      }
    }
    const senders = Array.from({ length: 10 }, sender)
    for (let round = 1; round <= KILLS; round++) {
      const goal = sent + 20
      while (sent < goal) await new Promise((resolve) => setTimeout(resolve, 1))
      await server.kill()
      await server.start()
    }
    isOver = true
    await Promise.all(senders)
    expect(await counts()).toEqual({
      responses: before.responses + sent,
      members: before.members + sent,
      signups: before.signups + sent,
    })
  })

  it('is unavailable while it stays down', async () => {
    await server.kill()
    const outcomes = await Promise.allSettled([
      listVolunteerRoles(call),
      createRsvp(testRsvp(), call),
      createVolunteerRole({ name: 'Never' }, call),
    ])
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } })
    await server.start()
    expect(await listVolunteerRoles(call)).not.toEqual([])
  })
})

describe('a libSQL server that requires a token', () => {
  const { variables, token } = serverToken()
  let server: Awaited<ReturnType<typeof startLibsqlServer>>
  beforeAll(async () => {
    server = await startLibsqlServer(variables)
  })
  afterAll(async () => {
    await closeDatabase()
    await server.stop()
  })

  it.each([
    ['no token', undefined],
    ['a wrong one', 'wrong'],
    ['one that has expired', token({ exp: 1 })],
    ['one that may only read', token({ a: 'ro' })],
  ])('refuses %s with a sentence that names the setting', async (_, authToken) => {
    await expect(openDatabase(server.url, { authToken })).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringMatching(/DATABASE_AUTH_TOKEN.*\.$/),
    })
  })

  it('accepts the right one', async () => {
    await openDatabase(server.url, { authToken: token() })
    expect((await createRsvp(testRsvp(), call)).id).toBe(1)
  })

  it('is unavailable to a running site whose token expires', async () => {
    await openDatabase(server.url, { authToken: token({ a: 'ro' }) })
    expect(await db.$count(rsvps)).toBe(1)
    await expect(createRsvp(testRsvp(), call)).rejects.toMatchObject({ code: 'unavailable' })
  })
})

function isUnavailable(error: unknown): undefined {
  expect(error).toMatchObject({ code: 'unavailable' })
}

async function counts() {
  return {
    responses: await db.$count(rsvps),
    members: await db.$count(familyMembers),
    signups: await db.$count(volunteerSignups),
  }
}
