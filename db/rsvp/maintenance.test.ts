import { beforeEach, expect, it } from 'vitest'
import { CHALLENGE_TTL_MS } from '#db/access/credential.ts'
import { changeSettings, storePurge } from '#db/settings.ts'
import { db, transaction } from '#db/storage/client.ts'
import { allowances, auditEntries, challenges, sessions } from '#db/tables/access.ts'
import { storedSettings } from '#db/tables/invitation.ts'
import { rsvps } from '#db/tables/rsvp.ts'
import { WRITE_BATCH_SIZE } from '#db/values/rsvp.ts'
import {
  auditLines,
  describeOnBothDatabases,
  emptyTables,
  everyRow,
  storeRows,
  testCall,
  testRsvp,
} from '#testing/database-fixtures.ts'
import { runMaintenance } from './maintenance.ts'
import { createRsvp } from './submit.ts'

const DAY = 24 * 3600 * 1000
const call = testCall({ actor: 'site' })
const now = call.now.getTime()
const many = WRITE_BATCH_SIZE + 5

const daysAgo = (days: number) => new Date(now - days * DAY).toISOString()
const running = () => new AbortController().signal
const saved = async () => true

const purgedAgo = (days: number) => transaction((tx) => storePurge(tx, new Date(daysAgo(days))))

/** Stores `count` RSVPs deleted long ago, `count` that are 100 days old, and one of today. */
async function fill(count: number) {
  const deleted = { createdAt: daysAgo(60), deletedAt: daysAgo(31) }
  const pairs = Array(count).fill([deleted, { createdAt: daysAgo(100) }])
  await storeRows([...pairs.flat(), { createdAt: daysAgo(0) }])
}

const names = async () => (await db.select().from(rsvps)).map(({ name }) => name)

describeOnBothDatabases('runMaintenance', () => {
  beforeEach(async () => {
    await emptyTables(rsvps, sessions)
    await changeSettings({ retentionDays: null }, call)
    await transaction((tx) => tx.update(storedSettings).set({ purgedAt: null }))
    await emptyTables(auditEntries)
  })

  it('erases old deletions, however many, and anonymizes old RSVPs once a retention is set', async () => {
    await fill(many)
    await runMaintenance(() => call, running(), saved)
    expect(await names()).toEqual(Array(many + 1).fill('Ana Cole'))
    const twice = (what: string) => [200, 5].map((count) => `site: responses ${what} ${count}`)
    expect(await auditLines()).toEqual(twice('erased'))
    await changeSettings({ retentionDays: 90 }, call)
    await runMaintenance(() => call, running(), saved)
    expect(await names()).toEqual([...Array(many).fill('Anonymous'), 'Ana Cole'])
    expect((await auditLines()).slice(-2)).toEqual(twice('made anonymous'))
  })

  it('stops between two writes', async () => {
    await fill(many)
    const stopping = new AbortController()
    // The signal is read at the start and before each write: it aborts after the first write.
    let reads = 0
    const signal = {
      get aborted() {
        if (++reads > 2) stopping.abort()
        return stopping.signal.aborted
      },
    } as AbortSignal
    await runMaintenance(() => call, signal, saved)
    expect(await db.$count(rsvps)).toBe(many + 5 + 1)
  })

  it.each([
    [-0.01, 'shows 2025-01-05 14:00 UTC, before the latest moment known, 2025-01-05 14:14 UTC. Set the clock right'],
    [
      45,
      'shows 2025-01-05 14:00 UTC, 45 days after the latest moment known, 2024-11-21 14:00 UTC. Set the clock right',
    ],
  ])('touches nothing by a clock that is %d days off, until someone confirms it', async (days, doubt) => {
    await fill(3)
    await changeSettings({ retentionDays: 90, prayerDays: 1 }, call)
    await createRsvp(
      testRsvp({ name: 'Kim', prayer: 'Please' }),
      testCall({ now: new Date(daysAgo(2)), role: 'owner' }),
    )
    await emptyTables(auditEntries)
    await purgedAgo(days)
    const before = await everyRow()
    const refuse = () => Promise.reject(new Error('A copy was made for a purge that must not be.'))
    expect((await runMaintenance(() => call, running(), refuse)).doubt).toContain(doubt)
    expect(await everyRow()).toBe(before)
    await changeSettings({ retentionDays: 90 }, call)
    expect(await runMaintenance(() => call, running(), saved)).toEqual({ anonymized: 3, erased: 3, doubt: undefined })
    expect(await everyRow()).not.toContain('Please')
  })

  it('trusts a clock up to 45 days after the last time, and before the first by the newest response', async () => {
    await fill(1)
    const doubts = async (days: number) => {
      const later = testCall({ now: new Date(now + days * DAY), actor: 'site' })
      return (await runMaintenance(() => later, running(), saved)).doubt !== undefined
    }
    expect(await doubts(-1)).toBe(true)
    expect(await doubts(46)).toBe(true)
    expect(await doubts(44)).toBe(false)
    expect(await doubts(88)).toBe(false)
    expect(await doubts(134)).toBe(true)
  })

  it('makes a backup first, only if something is due, and purges nothing if that fails', async () => {
    const refuse = () => Promise.reject(new Error('A copy was made though nothing is due.'))
    await runMaintenance(() => call, running(), refuse)
    await fill(3)
    expect(
      await runMaintenance(
        () => call,
        running(),
        async () => false,
      ),
    ).toMatchObject({ anonymized: 0, erased: 0 })
    const saveAll = async () => (await db.$count(rsvps)) === 7
    expect(await runMaintenance(() => call, running(), saveAll)).toMatchObject({ anonymized: 0, erased: 3 })
  })

  it('keeps the challenge of a passkey that is made while it runs', async () => {
    await changeSettings({ retentionDays: 90 }, call)
    await fill(1)
    let moment = call.now
    const makeChallenge = async () => {
      moment = new Date(now + 1000)
      const challenge = { browserHash: 'x', challenge: 'y', endsAt: moment.getTime() + CHALLENGE_TTL_MS }
      await transaction((tx) => tx.insert(challenges).values(challenge))
      return true
    }
    await runMaintenance(() => ({ ...call, now: moment }), running(), makeChallenge)
    expect(await db.$count(challenges)).toBe(1)
  })

  it('removes expired sessions, and the addresses of RSVPs and wrong passwords, as the privacy page promises', async () => {
    const moments = [now, now - 30 * DAY].map((usedAt) => ({ createdAt: usedAt, usedAt }))
    const rows = moments.map((moment) => ({ administratorId: 1, tokenHash: String(moment.usedAt), ...moment }))
    await transaction((tx) => tx.insert(sessions).values(rows))
    await transaction((tx) => tx.batch([tx.insert(allowances).values({ name: 'rsvp 203.0.113.7', fullAt: now })]))
    await runMaintenance(() => call, running(), saved)
    expect(await db.$count(allowances)).toBe(0)
    expect(await db.select().from(sessions)).toMatchObject([{ usedAt: now }])
  })
})
