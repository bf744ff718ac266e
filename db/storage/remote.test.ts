import { generateKeyPairSync, sign } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '#db/open.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { familyMembers, rsvps, volunteerSignups } from '#db/tables/rsvp.ts'
import { testCall, testRsvp } from '#testing/database-fixtures.ts'
import { startLibsqlServer } from '../../scripts/testing/libsql-server.mjs'
import { closeDatabase, db } from './client.ts'
import type { Connection, Statement } from './connection.ts'
import { withDeadline } from './deadline.ts'
import { type Fault, startFaultyNetwork } from './faulty-network-fixtures.ts'
import { openRemote } from './remote.ts'

const call = testCall()
const unavailable = { code: 'unavailable' }
const create = { sql: 'CREATE TABLE things (name TEXT)', args: [] }
const list = { sql: 'SELECT name FROM things', args: [] }
const insert = (name: string): Statement => ({ sql: 'INSERT INTO things VALUES (?)', args: [name] })

async function namesOn({ read }: Connection): Promise<unknown[]> {
  const { rows } = await read(list)
  return rows.map((row) => row[0])
}

describe('a request to a libSQL server', () => {
  let server: Awaited<ReturnType<typeof startLibsqlServer>>
  let network: Awaited<ReturnType<typeof startFaultyNetwork>>
  let connection: Connection
  beforeAll(async () => {
    server = await startLibsqlServer()
    network = await startFaultyNetwork(server.url)
    connection = openRemote(network.url, undefined)
    await connection.batch([create])
  })
  afterEach(async () => {
    network.clear()
    await connection.batch([{ sql: 'DELETE FROM things', args: [] }])
  })
  afterAll(async () => {
    await connection.close()
    await network.stop()
    await server.stop()
  })

  it.each<Fault>([
    'the connection breaks before the server has it',
    'the reply is truncated',
    'a load balancer has no server',
    'a load balancer lost the server',
    'a load balancer timed out',
    'it is rate-limited',
  ])('is repeated, up to three times, if %s', async (fault) => {
    network.plan(fault, /FROM things/, 3)
    expect(await namesOn(connection)).toEqual([])
    expect(network.left()).toBe(0)
  })

  it('repeats a transaction that lost a reply before its COMMIT, and stores it once', async () => {
    // The server keeps the lock of the first try for 5 s, as long as a request has.
    network.plan('the reply is lost', /INSERT/)
    await withDeadline(() => connection.write((execute) => execute([insert('a')])), 60_000)
    expect(network.left()).toBe(0)
    expect(await namesOn(connection)).toEqual(['a'])
  })

  it('repeats a transaction whose COMMIT got no reply only if it is repeatable', async () => {
    const write = (repeatable: boolean) => {
      network.plan('the reply is lost', /COMMIT/)
      return connection.write((execute) => execute([insert('a')]), { repeatable })
    }
    await expect(write(false)).rejects.toMatchObject(unavailable)
    expect(await namesOn(connection)).toEqual(['a'])
    await write(true)
    expect(network.left()).toBe(0)
    // This one has no key, so it is stored twice: repeatable transactions need one.
    expect(await namesOn(connection)).toEqual(['a', 'a', 'a'])
  })

  it('fails at its deadline, with the requests behind it, but not later ones', async () => {
    network.plan('no reply comes', /things/, 1000)
    const started = performance.now()
    const waiting = Array.from({ length: 30 }, (_, number) => [
      connection.read(list),
      connection.write((execute) => execute([insert(`${number}`)])),
    ]).flat()
    for (const outcome of await Promise.allSettled(waiting))
      expect(outcome).toMatchObject({ status: 'rejected', reason: unavailable })
    expect(performance.now() - started).toBeLessThan(12_000)
    network.clear()
    expect(await namesOn(connection)).toEqual([])
  })

  it('is too large, not unavailable, if it holds more than the server takes', async () => {
    const tooMuch = connection.read({ sql: 'SELECT length(?)', args: ['a'.repeat(6_000_000)] })
    await expect(tooMuch).rejects.toMatchObject({ code: 'too-large', message: expect.stringMatching(/in parts/) })
  })
})

describe('an RSVP on a libSQL server', () => {
  const sent = testRsvp({ familyMembers: [{ name: 'Joel Cole' }], volunteerRoles: [1] })
  let server: Awaited<ReturnType<typeof startLibsqlServer>>
  beforeAll(async () => {
    server = await startLibsqlServer()
  })
  afterEach(closeDatabase)
  afterAll(() => server.stop())

  const counts = () => Promise.all([rsvps, familyMembers, volunteerSignups].map((table) => db.$count(table)))

  it('is stored once if the reply to its COMMIT is lost, with the same result', async () => {
    const network = await startFaultyNetwork(server.url)
    await openDatabase(network.url)
    network.plan('the reply is lost', /COMMIT/)
    const rsvp = { ...sent, idempotencyKey: 'a key' }
    const first = await createRsvp(rsvp, call)
    expect(await createRsvp(rsvp, call)).toEqual(first)
    expect(network.left()).toBe(0)
    expect(await counts()).toEqual([1, 1, 1])
    await network.stop()
  })
})

describe('a libSQL server that requires a token', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const variables = { SQLD_AUTH_JWT_KEY: publicKey.export({ format: 'jwk' }).x ?? '' }
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const token = (claims: { exp?: number; a?: 'ro' } = {}) => {
    const unsigned = [{ alg: 'EdDSA', typ: 'JWT' }, claims].map(encoded).join('.')
    return `${unsigned}.${sign(null, Buffer.from(unsigned), privateKey).toString('base64url')}`
  }
  let server: Awaited<ReturnType<typeof startLibsqlServer>>
  beforeAll(async () => {
    server = await startLibsqlServer(variables)
  })
  afterAll(() => server.stop())

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

  it('accepts the right token, and is unavailable to a running site whose token expires', async () => {
    await openDatabase(server.url, { authToken: token() })
    expect(await createRsvp(testRsvp(), call)).toMatchObject({ id: 1 })
    await closeDatabase()
    await openDatabase(server.url, { authToken: token({ a: 'ro' }) })
    expect(await db.$count(rsvps)).toBe(1)
    await expect(createRsvp(testRsvp(), call)).rejects.toMatchObject(unavailable)
    await closeDatabase()
  })
})
