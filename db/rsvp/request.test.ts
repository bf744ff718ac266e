import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Call } from '#db/call.ts'
import { changeFeatures } from '#db/features.ts'
import { readKeyedHash } from '#db/keyed-hash.ts'
import { db, transaction } from '#db/storage/client.ts'
import { allowances } from '#db/tables/access.ts'
import { rsvps, volunteerRoles } from '#db/tables/rsvp.ts'
import { rsvpRequest } from '#db/values/rsvp.ts'
import { emptyTables, everyRow, openForTests, testCall, testRsvp } from '#testing/database-fixtures.ts'
import { deleteRsvp, eraseRsvps, restoreRsvps } from './delete.ts'
import { listRsvps, responsesOf } from './list.ts'
import { anonymizeOldRsvps, eraseOldDeletions } from './purge.ts'
import { countRsvp, digestRequest, refuseTooMany } from './request.ts'
import { changeVolunteerRole } from './roles.ts'
import { createRsvp } from './submit.ts'

const call = testCall()
const later = testCall({ now: new Date('2025-06-01T00:00:00Z') })
const other = { code: 'key-reused', message: expect.stringMatching(/^This Idempotency-Key .*\.$/) }
const deleted = { code: 'deleted', message: expect.stringMatching(/deleted since/) }

let count = 0
let idempotencyKey: string
/** Sends a response with the key of this test. */
const send = (changes: Record<string, unknown> = {}, now = call.now) =>
  createRsvp({ ...testRsvp(changes), idempotencyKey }, { ...call, now })
const stored = async () => responsesOf(await listRsvps({}, call))

describe('an idempotency key', () => {
  openForTests()
  beforeEach(async () => {
    await transaction((tx) => tx.batch([tx.delete(rsvps), tx.update(volunteerRoles).set({ retired: false })]))
    idempotencyKey = `canary-key-${++count}`
  })

  it.each([
    ['another name', { name: 'Bea Cole' }],
    ['a family member more', { familyMembers: [{ name: 'Joel Cole' }] }],
    ['a role more', { volunteerRoles: [1] }],
  ])('is refused with %s, and nothing is stored', async (_, changes) => {
    const { id } = await send()
    await expect(send(changes, later.now)).rejects.toMatchObject(other)
    expect(await stored()).toMatchObject([{ id, name: 'Ana Cole', familyMembers: [], volunteerSignups: [] }])
  })

  it('names the same body also where that is written in another way, or what it chose is no longer offered', async () => {
    const family = { familyMembers: [{ name: 'Joel Cole', age: '' }], volunteerRoles: [4] }
    const first = await send(family)
    expect(await send({ name: ' Ana Cole ', phone: '', unknown: 1, ...family }, later.now)).toEqual(first)
    await changeVolunteerRole({ id: '4', retired: true }, call)
    expect(await send(family)).toEqual(first)
    await changeFeatures({ familyRsvp: false }, call)
    expect(await send(family)).toEqual(first)
    await changeFeatures({ familyRsvp: true }, call)
    expect(await stored()).toMatchObject([{ familyMembers: [{ name: 'Joel Cole' }] }])
  })

  it('hashes only what was chosen, so that an update which asks more refuses nothing that is sent again', async () => {
    const hash = await readKeyedHash()
    const body = rsvpRequest.parse({ name: 'Ana', email: 'ana@cole.example', attending: true })
    const defaults = '"familyMembers":[],"name":"Ana","volunteerRoles":[]'
    const text = `{"addToCalendar":false,"attending":true,"email":"ana@cole.example",${defaults}}`
    const digest = { key: `digest ${hash('key', idempotencyKey)}`, bodyHash: hash('body', text) }
    expect(digestRequest(idempotencyKey, body, hash)).toEqual(digest)
    const unchosen = { standing: '', firstVisit: '', remind: '', prayer: '' }
    expect(
      digestRequest(idempotencyKey, rsvpRequest.parse({ ...testRsvp({ name: 'Ana' }), ...unchosen }), hash),
    ).toEqual(digest)
    const random = { key: expect.stringMatching(/^[\da-f-]{36}$/), bodyHash: null }
    expect(digestRequest(undefined, body, hash)).toEqual(random)
  })

  it('says so when its response was deleted, until that is restored', async () => {
    const first = await send()
    await deleteRsvp({ id: String(first.id) }, call)
    await expect(send()).rejects.toMatchObject(deleted)
    await expect(send({ name: 'Bea Cole' })).rejects.toMatchObject(deleted)
    await restoreRsvps({ ids: [first.id] }, call)
    expect(await send()).toEqual(first)
  })

  it('says so also when it was erased, on request or by a purge, and nothing else is left of it', async () => {
    const message = 'canary message'
    for (const erase of [() => eraseRsvps({ email: 'ana@cole.example' }, call), () => eraseOldDeletions(later)]) {
      idempotencyKey += '-again'
      const { id } = await send({ message })
      await deleteRsvp({ id: String(id) }, call)
      expect(await erase()).toBe(1)
      await expect(send({ message })).rejects.toMatchObject(deleted)
      expect(await everyRow()).not.toMatch(/canary|cole\.example/i)
    }
  })

  it('leaves nothing to compare a guess with: no key, no plain hash, and none at all once anonymous', async () => {
    await send()
    const rows = await everyRow()
    expect(rows).not.toContain(idempotencyKey)
    for (const guess of [idempotencyKey, JSON.stringify(testRsvp())])
      for (const encoding of ['hex', 'base64url'] as const)
        expect(rows).not.toContain(createHash('sha256').update(guess).digest(encoding))
    const hash = expect.stringMatching(/^[\w-]{43}$/)
    const digest = { key: expect.stringMatching(/^digest [\w-]{43}$/), bodyHash: hash }
    expect(await db.select().from(rsvps)).toMatchObject([digest])
    await anonymizeOldRsvps({ days: 90 }, later)
    const random = { key: expect.stringMatching(/^[\da-f]{32}$/), bodyHash: null }
    expect(await db.select().from(rsvps)).toMatchObject([random])
  })
})

describe('refuseTooMany', () => {
  const usual = { atOnce: 60, everyMs: 2000 }
  const start = testCall().now.getTime()
  const from = (ms = 0, allowance = usual, network = '203.0.113.7') =>
    testCall({ network, allowance, now: new Date(start + ms) })

  /** How many of these calls are allowed, one after the other; in one transaction, because each of its own takes as long. */
  function countAllowed(calls: Call[]): Promise<number> {
    return transaction(async (tx) => {
      let allowed = 0
      for (const each of calls) if ((await countRsvp(tx, each)).refused === undefined) allowed++
      return allowed
    })
  }

  openForTests()
  beforeEach(() => emptyTables(allowances))

  it('allows 60 at once, and after that 30 a minute', async () => {
    expect(await countAllowed(Array.from({ length: 61 }, () => from()))).toBe(60)
    await expect(refuseTooMany(from())).rejects.toMatchObject({ code: 'too-many' })
    expect(await countAllowed(Array.from({ length: 60 }, (_, second) => from(1 + second * 1000)))).toBe(29)
    await refuseTooMany(from(60_000))
  })

  it.each([
    [0, 60_000, 60, 'Wait 60 seconds'],
    [1000, 2000, 1, 'Wait 1 second,'],
    [1, 1002, 2, 'Wait 2 seconds'],
    // Who is counted out of order waits no longer than until there is one more.
    [-5, 60_000, 60, 'Wait 60 seconds'],
  ])('says after %i ms how long to wait for what comes every %i ms', async (ms, everyMs, retryAfter, sentence) => {
    await refuseTooMany(from(0, { atOnce: 1, everyMs }))
    await expect(refuseTooMany(from(ms, { atOnce: 1, everyMs }))).rejects.toMatchObject({
      code: 'too-many',
      fields: [],
      retryAfter,
      message: expect.stringMatching(
        new RegExp(`^Too many responses came from your network\\. ${sentence},? ?.*then send yours again\\.$`),
      ),
    })
  })

  it('does not limit a call without a network or an allowance, and stores nothing about it', async () => {
    for (let sent = 0; sent < 5; sent++) {
      for (const unlimited of [{ network: '203.0.113.7' }, { allowance: { atOnce: 1, everyMs: 1000 } }]) {
        expect(await transaction((tx) => countRsvp(tx, testCall(unlimited)))).toEqual({ flooded: false })
        await refuseTooMany(testCall(unlimited))
      }
    }
    const names = async () => (await db.select().from(allowances)).map(({ name }) => name).toSorted()
    expect(await names()).toEqual([])
    await refuseTooMany(from())
    expect(await names()).toEqual(['rsvp 203.0.113.0/24', 'rsvp 203.0.113.7', 'rsvp from everywhere'])
  })

  it('limits the households of one provider together, and marks a flood from many networks', async () => {
    const small = { atOnce: 2, everyMs: 60_000 }
    const homes = Array.from({ length: 20 }, (_, home) => `2001:db8:1:${(0x200 + home).toString(16)}::/64`)
    expect(await countAllowed(homes.map((network) => from(0, small, network)))).toBe(8)
    const marks: boolean[] = []
    for (let network = 0; network < 14; network += 1)
      marks.push((await transaction((tx) => countRsvp(tx, from(0, small, `198.51.${network}.1`)))).flooded)
    expect(marks).toEqual([...Array(12).fill(false), true, true])
  })
})
