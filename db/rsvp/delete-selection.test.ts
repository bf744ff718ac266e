import { beforeEach, expect, it } from 'vitest'
import { auditEntries } from '#db/audit/table.ts'
import { auditLines, describeOnBothDatabases, testCall } from '#db/fixtures.ts'
import { deleteRsvp, deleteSelection, restoreDeletion, restoreRsvp } from '#db/rsvp/delete.ts'
import { WRITE_BATCH_SIZE } from '#db/rsvp/schema.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { db, transaction } from '#db/storage/client.ts'
import { getTablePage } from './table-page.ts'

const call = testCall()
const COUNT = WRITE_BATCH_SIZE + 50

async function add(ids: number[], name = 'Ana'): Promise<void> {
  const row = { name, email: 'a@b.co', addToCalendar: false, createdAt: '' }
  await transaction((tx) =>
    tx.insert(rsvps).values(ids.map((id) => ({ ...row, id, key: String(id), attending: id % 2 === 0 }))),
  )
}

async function liveIds(): Promise<number[]> {
  const rows = await db.select({ id: rsvps.id, deletedAt: rsvps.deletedAt }).from(rsvps).orderBy(rsvps.id)
  return rows.filter(({ deletedAt }) => deletedAt === null).map(({ id }) => id)
}

/** All that matches, as the table shows it. */
async function shown(filter: Record<string, string> = {}) {
  const { newest, total, fingerprint } = await getTablePage(filter, call)
  return { ...filter, newest, count: total, fingerprint }
}

describeOnBothDatabases('a selection', () => {
  beforeEach(async () => {
    await transaction((tx) => tx.batch([tx.delete(rsvps), tx.delete(auditEntries)]))
    await add(Array.from({ length: COUNT }, (_, place) => place + 1))
  })

  it('is deleted as far as it was shown, in one act that one undo takes back', async () => {
    const selected = { ...(await shown()), count: COUNT - 1, except: [3] }
    await add([900], 'Came in later')
    const deletion = await deleteSelection(selected, call)
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
    const { changed, deletedAt } = await deleteSelection(await shown(), call)
    expect(changed).toBe(COUNT - 1)
    await restoreDeletion({ deletedAt }, call)
    expect(await liveIds()).not.toContain(2)
  })

  it('holds to the filter and to the search', async () => {
    await add([901, 902], 'José')
    const attending = await shown({ q: 'jose', status: 'attending' })
    expect(await deleteSelection(attending, call)).toMatchObject({ changed: 1 })
    expect(await liveIds()).toHaveLength(COUNT + 1)
    const before = { q: 'jose', newest: 900, count: 0, fingerprint: 0 }
    expect(await deleteSelection(before, call)).toMatchObject({ changed: 0 })
    expect(await auditLines()).toEqual(['terminal: response deleted 902'])
  })

  it.each([
    ['more', [5], []],
    ['fewer', [], [6]],
    ['another one', [5], [6]],
    ['others with the same sum', [1, 4], [2, 3]],
    ['others with the same sum of squares and number', [1, 5, 6], [2, 3, 7]],
  ])('is refused where %s matches than was shown, also in a search', async (_, hidden, gone) => {
    for (const filter of [{ q: '' }, { q: 'ana' }]) {
      for (const id of hidden) await deleteRsvp({ id: String(id) }, call)
      const selected = await shown(filter)
      for (const id of hidden) await restoreRsvp({ id: String(id) }, call)
      for (const id of gone) await deleteRsvp({ id: String(id) }, call)
      await expect(deleteSelection(selected, call)).rejects.toMatchObject({
        code: 'changed-meanwhile',
        message: 'Other responses match by now than you were shown. Look at them again.',
      })
      expect(await liveIds()).toHaveLength(COUNT - gone.length)
      for (const id of gone) await restoreRsvp({ id: String(id) }, call)
    }
  })

  const bounds = { newest: 5, count: 5, fingerprint: 5 }
  it.each([
    {},
    { ...bounds, newest: undefined },
    { ...bounds, count: undefined },
    { ...bounds, fingerprint: undefined },
    { ...bounds, newest: '5' },
    { ...bounds, except: ['x'] },
  ])('is refused without its bounds: %j', async (selection) => {
    await expect(deleteSelection(selection, call)).rejects.toMatchObject({ code: 'invalid' })
    expect(await liveIds()).toHaveLength(COUNT)
  })

  it.each([{}, { deletedAt: '' }, { deletedAt: 'today' }])('is not brought back by %j', async (deletion) => {
    await expect(restoreDeletion(deletion, call)).rejects.toMatchObject({ code: 'invalid' })
  })
})
