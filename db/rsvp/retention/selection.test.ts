import { beforeEach, expect, it } from 'vitest'
import { auditEntries } from '#db/audit/table.ts'
import { auditLines, describeOnBothDatabases, testCall } from '#db/fixtures.ts'
import { WRITE_BATCH_SIZE } from '#db/rsvp/schema.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { db } from '#db/storage/client.ts'
import { deleteRsvp, restoreRsvp } from './deletion.ts'
import { deleteSelection, restoreDeletion } from './selection.ts'

const call = testCall()
const COUNT = WRITE_BATCH_SIZE + 50

async function add(ids: number[], name = 'Ana'): Promise<void> {
  const row = { name, email: 'a@b.co', addToCalendar: false, createdAt: '' }
  await db.batch([db.insert(rsvps).values(ids.map((id) => ({ ...row, id, key: String(id), attending: id % 2 === 0 })))])
}

async function liveIds(): Promise<number[]> {
  const rows = await db.select({ id: rsvps.id, deletedAt: rsvps.deletedAt }).from(rsvps).orderBy(rsvps.id)
  return rows.filter(({ deletedAt }) => deletedAt === null).map(({ id }) => id)
}

describeOnBothDatabases('a selection', () => {
  beforeEach(async () => {
    await db.batch([db.delete(rsvps), db.delete(auditEntries)])
    await add(Array.from({ length: COUNT }, (_, place) => place + 1))
  })

  it('is deleted as far as it was shown, in one act that one undo takes back', async () => {
    await add([900], 'Came in later')
    const deletion = await deleteSelection({ newest: COUNT, count: COUNT, except: [3] }, call)
    expect(deletion).toEqual({ changed: COUNT - 1, left: 0, deletedAt: call.now.toISOString() })
    expect(await liveIds()).toEqual([3, 900])
    const lines = await db.select().from(auditEntries)
    expect(lines).toHaveLength(COUNT - 1)
    expect(lines[0]).toMatchObject({ action: 'response deleted', actor: 'terminal' })
    await restoreRsvp({ id: '7' }, call)
    expect(await restoreDeletion({ deletedAt: deletion.deletedAt }, call)).toEqual({ changed: COUNT - 2, left: 0 })
    expect(await liveIds()).toHaveLength(COUNT + 1)
    expect(await restoreDeletion({ deletedAt: deletion.deletedAt }, call)).toEqual({ changed: 0, left: 0 })
  })

  it('leaves alone what was deleted before, also when it is brought back', async () => {
    await deleteRsvp({ id: '2' }, testCall({ now: new Date(call.now.getTime() - 1) }))
    const { changed, deletedAt } = await deleteSelection({ newest: COUNT, count: COUNT }, call)
    expect(changed).toBe(COUNT - 1)
    await restoreDeletion({ deletedAt }, call)
    expect(await liveIds()).not.toContain(2)
  })

  it('holds to the filter and to the search', async () => {
    await add([901, 902], 'José')
    expect(await deleteSelection({ q: 'jose', status: 'attending', newest: 902, count: 1 }, call)).toMatchObject({
      changed: 1,
    })
    expect(await liveIds()).toHaveLength(COUNT + 1)
    expect(await deleteSelection({ q: 'jose', newest: 900, count: 0 }, call)).toMatchObject({ changed: 0 })
    expect(await auditLines()).toEqual(['terminal: response deleted 902'])
  })

  it('is refused where more matches than was shown', async () => {
    await deleteRsvp({ id: '5' }, call)
    const shown = { newest: COUNT, count: COUNT - 1 }
    await restoreRsvp({ id: '5' }, call)
    await expect(deleteSelection(shown, call)).rejects.toMatchObject({
      code: 'changed-meanwhile',
      message: 'More responses match by now than you were shown. Look at them again.',
    })
    expect(await liveIds()).toHaveLength(COUNT)
  })

  it.each([{}, { newest: 5 }, { count: 5 }, { newest: '5', count: 5 }, { newest: 5, count: 5, except: ['x'] }])(
    'is refused without its bounds: %j',
    async (selection) => {
      await expect(deleteSelection(selection, call)).rejects.toMatchObject({ code: 'invalid' })
      expect(await liveIds()).toHaveLength(COUNT)
    },
  )

  it.each([{}, { deletedAt: '' }, { deletedAt: 'today' }])('is not brought back by %j', async (deletion) => {
    await expect(restoreDeletion(deletion, call)).rejects.toMatchObject({ code: 'invalid' })
  })
})
