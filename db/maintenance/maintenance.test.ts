import { beforeEach, expect, it } from 'vitest'
import { hashOfToken } from '#db/access/session/session.ts'
import { allowances, sessions, signInAttempts } from '#db/access/table.ts'
import { auditEntries } from '#db/audit/table.ts'
import { confirmClock } from '#db/clock/operations.ts'
import { clockMarks } from '#db/clock/table.ts'
import { auditLines, describeOnBothDatabases, testCall } from '#db/fixtures.ts'
import { WRITE_BATCH_SIZE } from '#db/rsvp/schema.ts'
import { rsvps, UNSTAMPED } from '#db/rsvp/table.ts'
import { changeSettings } from '#db/settings/operations.ts'
import { db } from '#db/storage/client.ts'
import { runMaintenance } from './maintenance.ts'

const DAY = 24 * 3600 * 1000
const call = testCall({ actor: 'site' })
const now = call.now.getTime()
const many = WRITE_BATCH_SIZE + 5

const daysAgo = (days: number) => new Date(now - days * DAY).toISOString()
const running = () => new AbortController().signal
const saved = async () => true

/** The clock mark of a database that no site has served from yet. */
const unknown = { seenAt: '', doubtedAt: null, steadyMs: 0, anonymizeConfirmedAt: null, eraseConfirmedAt: null }

/** Stores `count` RSVPs deleted long ago, `count` that are 100 days old, and one of today. */
async function fill(count: number) {
  const row = { name: 'Ana Cole', email: 'ana@cole.example', attending: true, addToCalendar: false }
  const rows = Array.from({ length: count }, (_, key) => [
    { ...row, key: `deleted ${key}`, createdAt: daysAgo(60), deletedAt: daysAgo(31) },
    { ...row, key: `old ${key}`, createdAt: daysAgo(100) },
  ])
  await db.batch([db.insert(rsvps).values([...rows.flat(), { ...row, key: 'new', createdAt: daysAgo(0) }])])
}

const names = async () => (await db.select().from(rsvps)).map(({ name }) => name)

describeOnBothDatabases('runMaintenance', () => {
  beforeEach(async () => {
    await db.batch([db.delete(rsvps), db.delete(sessions)])
    await changeSettings({ retentionDays: null }, call)
    await db.batch([db.delete(auditEntries), db.update(clockMarks).set(unknown)])
  })

  it('erases old deletions, however many, and keeps all names while no retention is set', async () => {
    await fill(many)
    await confirmClock(call)
    await db.batch([db.delete(auditEntries)])
    await runMaintenance(call, running(), saved)
    expect(await names()).toEqual(Array(many + 1).fill('Ana Cole'))
    expect(await auditLines()).toEqual(['site: responses erased 200', 'site: responses erased 5'])
  })

  it('anonymizes old RSVPs, however many, once a retention is set', async () => {
    await fill(many)
    await changeSettings({ retentionDays: 90 }, call)
    await confirmClock(call)
    await runMaintenance(call, running(), saved)
    expect(await names()).toEqual([...Array(many).fill('Anonymous'), 'Ana Cole'])
    expect((await auditLines()).slice(-2)).toEqual([
      'site: responses made anonymous 200',
      'site: responses made anonymous 5',
    ])
  })

  it('stamps RSVPs without a service date, as an interrupted change of the schedule leaves them', async () => {
    await fill(1)
    await db.batch([db.update(rsvps).set({ serviceDate: UNSTAMPED })])
    await runMaintenance(call, running(), saved)
    const dates = (await db.select({ date: rsvps.serviceDate }).from(rsvps)).map(({ date }) => date)
    expect(dates).toEqual(Array(dates.length).fill(expect.stringMatching(/^20\d\d-\d\d-\d\d$/)))
  })

  it('removes expired sessions', async () => {
    const moments = [now, now - 3 * 3600 * 1000]
    const rows = moments.map((usedAt) => ({ tokenHash: hashOfToken(String(usedAt)), createdAt: usedAt, usedAt }))
    await db.batch([db.insert(sessions).values(rows)])
    await runMaintenance(call, running(), saved)
    expect(await db.select().from(sessions)).toMatchObject([{ usedAt: now }])
  })

  it('records nothing when nothing is due', async () => {
    await fill(0)
    await changeSettings({ retentionDays: 90 }, call)
    await db.batch([db.delete(auditEntries)])
    await runMaintenance(call, running(), saved)
    expect(await auditLines()).toEqual([])
  })

  it('does nothing once it is aborted', async () => {
    await fill(2)
    await changeSettings({ retentionDays: 90 }, call)
    await db.batch([db.insert(sessions).values({ tokenHash: 'x', createdAt: 0, usedAt: 0 })])
    await runMaintenance(call, AbortSignal.abort(), saved)
    expect(await names()).toEqual(Array(5).fill('Ana Cole'))
    expect(await db.$count(sessions)).toBe(1)
  })

  it('stops between two writes', async () => {
    await fill(many)
    await confirmClock(call)
    const stopping = new AbortController()
    // The signal is read at the start and before each write: it aborts after the first write.
    let reads = 0
    const signal = {
      get aborted() {
        if (++reads > 2) stopping.abort()
        return stopping.signal.aborted
      },
    } as AbortSignal
    await runMaintenance(call, signal, saved)
    expect(await db.$count(rsvps)).toBe(many + 5 + 1)
  })

  it('removes the addresses of RSVPs and wrong passwords, as the privacy page promises', async () => {
    const hourAgo = now - 3600 * 1000 - 1
    await db.batch([
      db.insert(allowances).values({ name: 'rsvp 203.0.113.7', fullAt: now }),
      db.insert(signInAttempts).values({ who: 'network 203.0.113.7', failures: 1, nextAt: hourAgo, knownUntil: 0 }),
    ])
    await runMaintenance(call, running(), saved)
    expect([await db.$count(allowances), await db.$count(signInAttempts)]).toEqual([0, 0])
  })
})
