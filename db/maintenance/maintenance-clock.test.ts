import { beforeEach, expect, it } from 'vitest'
import { auditEntries } from '#db/audit/table.ts'
import { confirmAnonymization, confirmClock } from '#db/clock/operations.ts'
import { clockMarks } from '#db/clock/table.ts'
import { auditLines, describeOnBothDatabases, testCall, testRsvp } from '#db/fixtures.ts'
import { deleteRsvp } from '#db/rsvp/retention/deletion.ts'
import { getDue } from '#db/rsvp/retention/due.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { changeSettings } from '#db/settings/operations.ts'
import { db } from '#db/storage/client.ts'
import { runMaintenance } from './maintenance.ts'

const DAY = 24 * 3600 * 1000
const start = testCall().now.getTime()
const iso = (days: number) => new Date(start + days * DAY).toISOString()
const callOn = (days: number) => testCall({ now: new Date(start + days * DAY), actor: 'site' })
const call = callOn(0)
const unknown = { seenAt: '', doubtedAt: null, steadyMs: 0, anonymizeConfirmedAt: null, eraseConfirmedAt: null }

let backups = 0
const backUp = async () => ++backups > 0
const keepOn = (days: number, save = backUp) => runMaintenance(callOn(days), new AbortController().signal, save)
const markAt = (days: number) => db.batch([db.update(clockMarks).set({ ...unknown, seenAt: iso(days) })])

/** Responses that were made 100 days ago, or deleted 31 days ago. */
async function fill(old: number, deleted = 0) {
  const row = { name: 'Ana Cole', email: 'ana@cole.example', attending: true, addToCalendar: false }
  const rows = [
    ...Array.from({ length: old }, (_, key) => ({ ...row, key: `old ${key}`, createdAt: iso(-100) })),
    ...Array.from({ length: deleted }, (_, key) => ({
      ...row,
      key: `deleted ${key}`,
      createdAt: iso(-40),
      deletedAt: iso(-31),
    })),
  ]
  await db.batch([db.insert(rsvps).values(rows)])
}

async function counts() {
  const stored = await db.select().from(rsvps)
  return { stored: stored.length, named: stored.filter(({ name }) => name !== 'Anonymous').length }
}

describeOnBothDatabases('a purge', () => {
  beforeEach(async () => {
    backups = 0
    await db.batch([db.delete(rsvps), db.update(clockMarks).set(unknown)])
    await changeSettings({ retentionDays: 90 }, call)
    await db.batch([db.delete(auditEntries)])
  })

  it.each([-365, -2, 46, 365, 4018])('touches nothing while the clock is %i days off', async (days) => {
    await fill(3, 3)
    await markAt(-days)
    expect(await keepOn(0)).toEqual({ anonymized: 0, erased: 0 })
    expect({ ...(await counts()), backups }).toEqual({ stored: 6, named: 6, backups: 0 })
    expect(await auditLines()).toEqual([])
  })

  it('anonymizes a third a day, at least one, and records how many', async () => {
    await fill(7)
    await markAt(0)
    expect(await keepOn(0)).toEqual({ anonymized: 3, erased: 0 })
    expect(await keepOn(0.9)).toEqual({ anonymized: 0, erased: 0 })
    expect(await keepOn(1)).toEqual({ anonymized: 2, erased: 0 })
    expect(await keepOn(2)).toEqual({ anonymized: 1, erased: 0 })
    expect(await keepOn(3)).toEqual({ anonymized: 1, erased: 0 })
    expect(await auditLines()).toEqual([3, 2, 1, 1].map((count) => `site: responses made anonymous ${count}`))
  })

  it('erases at most a third a day, of the live or of the deleted responses', async () => {
    await fill(0, 6)
    await markAt(0)
    expect(await keepOn(0)).toEqual({ anonymized: 0, erased: 2 })
    await changeSettings({ retentionDays: null }, call)
    await fill(12)
    await db.batch([db.delete(auditEntries)])
    expect(await keepOn(0)).toEqual({ anonymized: 0, erased: 4 })
  })

  it('purges everything that was confirmed, and a third of what is due later', async () => {
    await fill(6)
    await markAt(0)
    await confirmAnonymization(call)
    expect(await keepOn(0)).toEqual({ anonymized: 6, erased: 0 })
    const later = { name: 'Kim', email: 'k@c.example', attending: true, addToCalendar: false, createdAt: iso(-80) }
    await db.batch([db.insert(rsvps).values([1, 2, 3, 4, 5, 6].map((key) => ({ ...later, key: `later ${key}` })))])
    expect(await keepOn(20)).toEqual({ anonymized: 2, erased: 0 })
  })

  it('is not confirmed by a retention that was chosen before, or under a doubtful clock', async () => {
    await fill(6)
    await markAt(0)
    await confirmAnonymization(call)
    await changeSettings({ retentionDays: 30 }, call)
    expect(await keepOn(0)).toEqual({ anonymized: 2, erased: 0 })
    await confirmAnonymization(callOn(365))
    expect(await keepOn(0)).toEqual({ anonymized: 0, erased: 0 })
  })

  it('purges nothing new because of a confirmation under a clock that was ahead', async () => {
    await confirmClock(callOn(365))
    await markAt(0)
    await db.batch([db.update(clockMarks).set({ anonymizeConfirmedAt: iso(365), eraseConfirmedAt: iso(365) })])
    const administrator = { ...call, administrator: true }
    await createRsvp(testRsvp(), administrator)
    await deleteRsvp({ id: String((await createRsvp(testRsvp({ name: 'Kim' }), administrator)).id) }, administrator)
    await fill(3, 3)
    expect(await keepOn(0)).toEqual({ anonymized: 2, erased: 2 })
    const names = (await db.select().from(rsvps)).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['Kim', testRsvp().name]))
  })

  it('makes a backup first, only if something is due, and purges nothing if that fails', async () => {
    await markAt(0)
    await keepOn(0)
    expect(backups).toBe(0)
    await fill(3, 3)
    expect(await keepOn(0, async () => false)).toEqual({ anonymized: 0, erased: 0 })
    await keepOn(0, async () => {
      expect(await counts()).toEqual({ stored: 6, named: 6 })
      return true
    })
    // One of the three deleted, and two of the five that still have names.
    expect(await counts()).toEqual({ stored: 5, named: 3 })
  })

  it('spares responses stored and deleted under a clock that was behind', async () => {
    await markAt(0)
    const behind = { ...callOn(-4000), administrator: true }
    const { id } = await createRsvp(testRsvp(), behind)
    const deleted = await createRsvp(testRsvp({ name: 'Kim' }), behind)
    await deleteRsvp({ id: String(deleted.id) }, behind)
    await confirmClock(call)
    expect(await keepOn(0)).toEqual({ anonymized: 0, erased: 0 })
    expect((await getDue(call)).anonymize).toEqual({ now: 0, next: { at: iso(90), count: 2 } })
    await confirmClock(callOn(31))
    expect(await keepOn(31)).toEqual({ anonymized: 0, erased: 1 })
    await confirmClock(callOn(91))
    expect(await keepOn(91)).toEqual({ anonymized: 1, erased: 0 })
    expect((await db.select().from(rsvps))[0]).toMatchObject({ id, name: 'Anonymous', createdAt: iso(-4000) })
  })

  it('is on time for responses stored and deleted under a clock that was ahead', async () => {
    const ahead = { ...callOn(4000), administrator: true }
    await createRsvp(testRsvp(), ahead)
    await deleteRsvp({ id: String((await createRsvp(testRsvp({ name: 'Kim' }), ahead)).id) }, ahead)
    await markAt(0)
    await keepOn(0)
    expect(await getDue(call)).toEqual({
      anonymize: { now: 0, next: { at: iso(90), count: 2 } },
      erase: { now: 0, next: { at: iso(30), count: 1 } },
    })
  })
})

describeOnBothDatabases('what falls due', () => {
  it('has a count and a day', async () => {
    await changeSettings({ retentionDays: 110 }, call)
    await fill(2, 1)
    expect(await getDue(call)).toEqual({
      anonymize: { now: 0, next: { at: iso(10), count: 2 } },
      erase: { now: 1, next: undefined },
    })
    await changeSettings({ retentionDays: null }, call)
    expect((await getDue(call)).anonymize).toBeUndefined()
  })
})
