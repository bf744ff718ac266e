import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { auditLines, fileDatabase, openForTests, testCall } from '#db/fixtures.ts'
import { db } from '#db/storage/client.ts'
import { deleteRsvp, restoreRsvp } from './delete.ts'
import { addRsvp } from './entry/add.ts'
import { getRsvp } from './list/operations.ts'
import { anonymizeOldRsvps } from './purge.ts'
import { replaceRsvp } from './replace-rsvp.ts'
import { sentAs } from './stored.ts'
import { rsvps } from './table.ts'

const call = testCall()

// What happens between reading an RSVP and replacing it. Changes are tried in many more ways beside `changeOwnRsvp`.
describe('replaceRsvp', () => {
  const database = fileDatabase()
  openForTests(database.url)
  afterAll(database.stop)
  beforeEach(async () => db.batch([db.delete(rsvps)]))

  async function readOne() {
    const { id } = await addRsvp({ name: 'Ana Cole', attending: true, familyMembers: [{ name: 'Joel Cole' }] }, call)
    const read = await getRsvp({ id: String(id) }, call)
    const changed = { ...sentAs(read), serviceDate: read.serviceDate, name: 'Bea Cole', familyMembers: [] }
    return { id: String(id), read, replace: () => replaceRsvp(read, changed, null, call) }
  }

  it('changes nothing of what was deleted meanwhile', async () => {
    const { id, read, replace } = await readOne()
    await deleteRsvp({ id }, call)
    const before = await auditLines()
    expect(await replace()).toBe(false)
    expect(await auditLines()).toEqual(before)
    await restoreRsvp({ id }, call)
    expect(await getRsvp({ id }, call)).toEqual(read)
    expect(await replace()).toBe(true)
  })

  it.each([{ name: 'Joel Cole' }, { email: 'joel@cole.example' }, { deletedAt: '2025-01-06T00:00:00.000Z' }])(
    'merges nothing if of one of its duplicates meanwhile %j is stored',
    async (change) => {
      const sent = { name: 'Ana Cole', email: 'ana@cole.example', attending: true }
      const ids: number[] = []
      for (let minute = 0; minute < 3; minute++) {
        const now = new Date(call.now.getTime() + minute * 60_000)
        ids.push((await addRsvp({ ...sent, name: minute === 0 ? 'ana COLE' : sent.name }, { ...call, now })).id)
      }
      const [first = 0, second = 0, newest] = ids
      const read = await getRsvp({ id: String(newest) }, call)
      const response = { ...sentAs(read), serviceDate: read.serviceDate }
      const merge = () => replaceRsvp(read, response, null, call, [first, second])
      const before = await db.select().from(rsvps).where(eq(rsvps.id, second))
      await db.batch([db.update(rsvps).set(change).where(eq(rsvps.id, second))])
      expect(await merge()).toBe(false)
      expect(await getRsvp({ id: String(first) }, call)).toMatchObject({ name: 'ana COLE' })
      await db.batch([
        db
          .update(rsvps)
          .set(before[0] ?? {})
          .where(eq(rsvps.id, second)),
      ])
      expect(await merge()).toBe(true)
    },
  )

  it('gives no name back to what was anonymized meanwhile', async () => {
    const { id, replace } = await readOne()
    await anonymizeOldRsvps({ days: 1 }, testCall({ now: new Date('2025-03-01T00:00:00Z') }))
    expect(await replace()).toBe(false)
    expect(await getRsvp({ id }, call)).toMatchObject({ name: 'Anonymous' })
  })
})
