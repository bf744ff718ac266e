import { createHash } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { changeFeatures } from '#db/feature/operations.ts'
import { describeOnBothDatabases, everyRow, testCall, testRsvp } from '#db/fixtures.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { readKeyedHash } from '#db/secret/keyed-hash.ts'
import { db, transaction } from '#db/storage/client.ts'
import { deleteRsvp, eraseRsvps, restoreRsvp } from './delete.ts'
import { digestRequest, readWholeRequest } from './idempotency.ts'
import { getRsvp, listRsvps } from './list.ts'
import { anonymizeOldRsvps, eraseOldDeletions } from './purge.ts'
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

async function stored() {
  return JSON.parse(String((await listRsvps({}, call)).json))
}

describeOnBothDatabases('an idempotency key', () => {
  beforeEach(async () => {
    await transaction((tx) => tx.delete(rsvps))
    await changeFeatures({ calendarIntegration: true, familyRsvp: true, volunteerSignup: true }, call)
    idempotencyKey = `canary-key-${++count}`
  })

  it.each([
    ['another name', { name: 'Bea Cole' }],
    ['another status', { attending: false }],
    ['a message more', { message: 'Hello' }],
    ['a family member more', { familyMembers: [{ name: 'Joel Cole' }] }],
    ['a role more', { volunteerRoles: [1] }],
  ])('is refused with %s, and nothing is stored', async (_, changes) => {
    const { id } = await send()
    await expect(send(changes, later.now)).rejects.toMatchObject(other)
    expect(await stored()).toMatchObject([{ id, name: 'Ana Cole', familyMembers: [], volunteerSignups: [] }])
  })

  it('names the same body also where that is written in another way, or a feature went off meanwhile', async () => {
    const family = { familyMembers: [{ name: 'Joel Cole', age: '' }], volunteerRoles: [2] }
    const first = await send(family)
    expect(await send({ name: ' Ana Cole ', phone: '', unknown: 1, ...family }, later.now)).toEqual(first)
    await changeFeatures({ calendarIntegration: false, familyRsvp: false, volunteerSignup: false }, call)
    expect(await send(family)).toEqual(first)
    await expect(send({ ...family, volunteerRoles: [1] })).rejects.toMatchObject(other)
    expect(await stored()).toHaveLength(1)
  })

  it('hashes the text that earlier versions hashed, so that an update refuses nothing that is sent again', async () => {
    const hash = await readKeyedHash()
    const { bodyHash } = await digestRequest(
      idempotencyKey,
      readWholeRequest({ name: 'Ana', email: 'ana@cole.example', attending: true }),
    )
    const defaults = '"familyMembers":[],"name":"Ana","volunteerRoles":[]'
    const text = `{"addToCalendar":false,"attending":true,"email":"ana@cole.example",${defaults}}`
    expect(bodyHash).toBe(hash('body', text))
  })

  it('of two bodies at once stores one, whole, and refuses the other', async () => {
    const bodies = [{ familyMembers: [{ name: 'Joel Cole' }] }, { familyMembers: [{ name: 'X1' }, { name: 'X2' }] }]
    const outcomes = await Promise.allSettled(bodies.map((body) => send(body)))
    const winner = outcomes.findIndex(({ status }) => status === 'fulfilled')
    expect(outcomes[1 - winner]).toMatchObject({ status: 'rejected', reason: other })
    const [{ familyMembers: members }, ...others] = await stored()
    expect(members).toMatchObject(bodies[winner]?.familyMembers ?? [])
    expect([members.length, others]).toEqual([winner + 1, []])
  })

  it('says so when its response was deleted, until that is restored', async () => {
    const first = await send()
    await deleteRsvp({ id: String(first.id) }, call)
    await expect(send()).rejects.toMatchObject(deleted)
    await expect(send({ name: 'Bea Cole' })).rejects.toMatchObject(deleted)
    await restoreRsvp({ id: String(first.id) }, call)
    expect(await send()).toEqual(first)
  })

  it('says so also when it was erased, on request or by a purge, and nothing else is left of it', async () => {
    const message = 'canary message'
    await send({ message })
    expect(await eraseRsvps({ email: 'ana@cole.example' }, call)).toBe(1)
    await expect(send({ message })).rejects.toMatchObject(deleted)
    expect(await everyRow()).not.toMatch(/canary|cole\.example/i)

    idempotencyKey += '-again'
    const { id } = await send({ message })
    await deleteRsvp({ id: String(id) }, call)
    expect(await eraseOldDeletions(later)).toBe(1)
    await expect(send({ message })).rejects.toMatchObject(deleted)
    expect(await everyRow()).not.toMatch(/canary|cole\.example/i)
  })

  it('leaves nothing to compare a guess with: no key, no plain hash, and none at all once anonymous', async () => {
    await send()
    const rows = await everyRow()
    expect(rows).not.toContain(idempotencyKey)
    for (const guess of [idempotencyKey, JSON.stringify(testRsvp())]) {
      for (const encoding of ['hex', 'base64url'] as const) {
        expect(rows).not.toContain(createHash('sha256').update(guess).digest(encoding))
      }
    }
    const digests = async () => (await db.select().from(rsvps)).map(({ key, bodyHash }) => ({ key, bodyHash }))
    expect(await digests()).toEqual([
      { key: expect.stringMatching(/^digest [\w-]{43}$/), bodyHash: expect.stringMatching(/^[\w-]{43}$/) },
    ])
    await anonymizeOldRsvps({ days: 90 }, later)
    expect(await digests()).toEqual([{ key: expect.stringMatching(/^[\da-f]{32}$/), bodyHash: null }])
  })

  it('of a response that is older than the hash is compared by what its row says', async () => {
    const { id } = await send({ phone: '555-0100' })
    await transaction((tx) => tx.update(rsvps).set({ key: idempotencyKey, bodyHash: null, linkHash: null }))
    // It is older than private links as well.
    expect(await send({ phone: '555-0100' })).toEqual({ id, linkSecret: undefined })
    for (const changes of [{ phone: '555-0101' }, {}, { phone: '555-0100', name: 'Bea Cole' }]) {
      await expect(send(changes)).rejects.toMatchObject(other)
    }
    expect(await getRsvp({ id: String(id) }, call)).toMatchObject({ phone: '555-0100' })
    expect(await stored()).toHaveLength(1)
  })
})
