import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { changeFeatures } from '#db/features.ts'
import { readKeyedHash } from '#db/keyed-hash.ts'
import { db, transaction } from '#db/storage/client.ts'
import { rsvps, volunteerRoles } from '#db/tables/rsvp.ts'
import { rsvpRequest } from '#db/values/rsvp.ts'
import { everyRow, openForTests, testCall, testRsvp } from '#testing/database-fixtures.ts'
import { deleteRsvp, eraseRsvps, restoreRsvps } from './delete.ts'
import { digestRequest } from './idempotency.ts'
import { listRsvps, responsesOf } from './list.ts'
import { anonymizeOldRsvps, eraseOldDeletions } from './purge.ts'
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
