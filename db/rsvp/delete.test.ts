import { beforeEach, expect, it } from 'vitest'
import { auditEntries } from '#db/audit/table.ts'
import { auditLines, describeOnBothDatabases, everyRow, testCall, testRsvp } from '#db/fixtures.ts'
import { countRsvpsOf, deleteRsvp, deleteRsvps, eraseRsvps, restoreRsvp, restoreRsvps } from '#db/rsvp/delete.ts'
import { getRsvp, listRsvps, responsesOf } from '#db/rsvp/list.ts'
import { eraseOldDeletions, RESTORABLE_DAYS } from '#db/rsvp/purge.ts'
import { WRITE_BATCH_SIZE } from '#db/rsvp/schema.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { familyMembers, rsvps, volunteerSignups } from '#db/rsvp/table.ts'
import { db, transaction } from '#db/storage/client.ts'
import { getStatistics } from './counts.ts'
import type { RsvpFilter } from './schema.ts'

const DAY = 24 * 3600 * 1000
const call = testCall()

const daysLater = (days: number, ms = 0) => testCall({ now: new Date(call.now.getTime() + days * DAY + ms) })
const ascending = (ids: number[]) => ids.toSorted((a, b) => a - b)

async function make(changes: Record<string, unknown> = {}): Promise<number> {
  const sent = testRsvp({ familyMembers: [{ name: 'Joel Cole' }], volunteerRoles: [1, 2], ...changes })
  return (await createRsvp(sent, call)).id
}

async function idsOf(filter: RsvpFilter = {}): Promise<number[]> {
  return responsesOf(await listRsvps(filter, call)).map(({ id }) => id)
}

async function clear() {
  await transaction((tx) => tx.batch([tx.delete(rsvps), tx.delete(auditEntries)]))
}

describeOnBothDatabases('a deleted response', () => {
  beforeEach(clear)

  it('comes back with everything that belongs to it', async () => {
    const id = await make()
    const [before, statistics] = [await getRsvp({ id: String(id) }, call), await getStatistics({}, call)]
    await deleteRsvp({ id: String(id) }, call)
    await restoreRsvp({ id: String(id) }, daysLater(1))
    expect(await getRsvp({ id: String(id) }, call)).toEqual(before)
    expect(await getStatistics({}, call)).toEqual(statistics)
    expect(await auditLines()).toEqual([`terminal: response deleted ${id}`, `terminal: response restored ${id}`])
  })

  it('is listed among the deleted, with the moment of its first deletion', async () => {
    const [kept, gone] = [await make(), await make()]
    await deleteRsvp({ id: String(gone) }, daysLater(1))
    await deleteRsvps({ ids: [gone] }, daysLater(2))
    expect(await idsOf()).toEqual([kept])
    const deleted = responsesOf(await listRsvps({ deleted: 'true' }, call))
    expect(deleted).toMatchObject([{ id: gone, deletedAt: '2025-01-06T14:00:00.000Z' }])
  })

  it('is not deleted a second time, nor restored twice', async () => {
    const id = String(await make())
    await expect(restoreRsvp({ id }, call)).rejects.toMatchObject({
      code: 'not-found',
      message: 'No deleted response has this number. It may be restored already, or erased.',
    })
    await deleteRsvp({ id }, call)
    await expect(deleteRsvp({ id }, call)).rejects.toMatchObject({
      code: 'not-found',
      message: 'There is no such response. It may have been deleted already.',
    })
    await restoreRsvp({ id }, call)
    await expect(restoreRsvp({ id }, call)).rejects.toMatchObject({ code: 'not-found' })
    await expect(restoreRsvp({ id: '999999' }, call)).rejects.toMatchObject({ code: 'not-found' })
    expect(await auditLines()).toEqual([`terminal: response deleted ${id}`, `terminal: response restored ${id}`])
  })

  it('is restored once by twenty who try at once', async () => {
    const id = String(await make())
    await deleteRsvp({ id }, call)
    const tries = Array.from({ length: 20 }, () => restoreRsvp({ id }, call))
    const outcomes = await Promise.allSettled(tries)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await auditLines()).toHaveLength(2)
  })

  it('comes back together with others, and only those that were deleted', async () => {
    const [one = 0, two = 0, live = 0] = [await make(), await make(), await make()]
    expect(ascending(await deleteRsvps({ ids: [two, one] }, call))).toEqual([one, two])
    expect(ascending(await restoreRsvps({ ids: [live, two, 999_999, one] }, call))).toEqual([one, two])
    expect(await restoreRsvps({ ids: [one, two] }, call)).toEqual([])
    expect(await idsOf()).toEqual([live, two, one])
    expect((await auditLines()).toSorted()).toEqual([
      `terminal: response deleted ${one}`,
      `terminal: response deleted ${two}`,
      `terminal: response restored ${one}`,
      `terminal: response restored ${two}`,
    ])
  })

  it.each([['x'], [undefined], ['0']])('is not restored by the id %j', async (id) => {
    await expect(restoreRsvp({ id }, call)).rejects.toMatchObject({ code: 'invalid' })
    await expect(restoreRsvps({ ids: [id] }, call)).rejects.toMatchObject({ code: 'invalid' })
  })
})

describeOnBothDatabases('erasing', () => {
  beforeEach(clear)

  it('takes everything of one address, however it is written and whether deleted or not', async () => {
    await make({ email: 'Canary@Cole.example', name: 'Canary One', message: 'canary message', phone: 'canary phone' })
    const deleted = await make({ email: 'canary@cole.EXAMPLE', familyMembers: [{ name: 'Canary Child' }] })
    await deleteRsvp({ id: String(deleted) }, call)
    const kept = await make({ email: 'ana@cole.example' })
    expect(await countRsvpsOf({ email: 'CANARY@cole.example' }, call)).toBe(2)
    expect(await eraseRsvps({ email: 'CANARY@cole.example' }, call)).toBe(2)
    expect(await everyRow()).not.toMatch(/canary/i)
    expect(await countRsvpsOf({ email: 'canary@cole.example' }, call)).toBe(0)
    expect((await db.select().from(rsvps)).map(({ id }) => id)).toEqual([kept])
    expect(await db.$count(familyMembers)).toBe(1)
    expect(await db.$count(volunteerSignups)).toBe(2)
    expect(await auditLines()).toEqual([`terminal: response deleted ${deleted}`, 'terminal: responses erased 2'])
  })

  it('of an address under which there is nothing changes nothing', async () => {
    const id = await make()
    expect(await eraseRsvps({ email: 'ana@cole.example.org' }, call)).toBe(0)
    expect(await idsOf()).toEqual([id])
    expect(await auditLines()).toEqual([])
  })

  it.each(['', '%', 'ana', 'ana@cole.example, b@c.co', undefined])('refuses the address %j', async (email) => {
    const id = await make()
    await expect(eraseRsvps({ email }, call)).rejects.toMatchObject({ code: 'invalid' })
    await expect(countRsvpsOf({ email }, call)).rejects.toMatchObject({ code: 'invalid' })
    expect(await idsOf()).toEqual([id])
  })
})

describeOnBothDatabases('old deletions', () => {
  beforeEach(clear)

  it('are erased after 30 days, with what belongs to them, and nothing else is', async () => {
    const [live, late, gone] = [await make(), await make(), await make({ name: 'Canary One' })]
    await deleteRsvp({ id: String(gone) }, call)
    await deleteRsvp({ id: String(late) }, daysLater(0, 1))
    await transaction((tx) => tx.delete(auditEntries))
    expect(await eraseOldDeletions(daysLater(RESTORABLE_DAYS))).toBe(0)
    expect(await auditLines()).toEqual([])
    expect(await eraseOldDeletions({ ...daysLater(RESTORABLE_DAYS, 1), actor: 'site' })).toBe(1)
    expect(await auditLines()).toEqual(['site: responses erased 1'])
    expect((await db.select().from(rsvps)).map(({ id }) => id)).toEqual([live, late])
    expect(await everyRow()).not.toMatch(/canary/i)
    expect(await db.$count(familyMembers)).toBe(2)
    await expect(restoreRsvp({ id: String(gone) }, call)).rejects.toMatchObject({ code: 'not-found' })
    await restoreRsvp({ id: String(late) }, daysLater(365))
    expect(await eraseOldDeletions(daysLater(3650))).toBe(0)
    expect(RESTORABLE_DAYS).toBe(30)
  })

  it('are erased some at a time, so that the site goes on', async () => {
    const row = {
      name: 'Ana',
      email: 'a@b.co',
      attending: true,
      addToCalendar: false,
      createdAt: '',
      deletedAt: '2020',
    }
    const many = Array.from({ length: WRITE_BATCH_SIZE + 5 }, (_, key) => ({ ...row, key: String(key) }))
    await transaction((tx) => tx.insert(rsvps).values(many))
    expect(await eraseOldDeletions(call)).toBe(WRITE_BATCH_SIZE)
    expect(await eraseOldDeletions(call)).toBe(5)
    expect(await eraseOldDeletions(call)).toBe(0)
    expect(await auditLines()).toEqual(['terminal: responses erased 200', 'terminal: responses erased 5'])
  })
})
