import { beforeEach, expect, it } from 'vitest'
import { CHALLENGE_TTL_MS } from '#db/access/credential.ts'
import { allowances, challenges, sessions, signInAttempts } from '#db/access/table.ts'
import { auditEntries } from '#db/audit/table.ts'
import { clockMarks } from '#db/clock/table.ts'
import { auditLines, describeOnBothDatabases, emptyTables, storeRows, testCall, testRsvp } from '#db/fixtures.ts'
import { deleteRsvp } from '#db/rsvp/delete.ts'
import { WRITE_BATCH_SIZE } from '#db/rsvp/schema.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { changeSettings } from '#db/settings/operations.ts'
import { db, transaction } from '#db/storage/client.ts'
import { runMaintenance } from './maintenance.ts'

const DAY = 24 * 3600 * 1000
const call = testCall({ actor: 'site' })
const now = call.now.getTime()
const many = WRITE_BATCH_SIZE + 5

const daysAgo = (days: number) => new Date(now - days * DAY).toISOString()
const running = () => new AbortController().signal
const saved = async () => true

/** A mark as of a site that has run so many days ago; without a number, of a database that no site has served from yet. */
const markAt = (days?: number) => {
  const seenAt = days === undefined ? '' : daysAgo(days)
  return transaction((tx) => tx.update(clockMarks).set({ seenAt, doubtedAt: null, steadyMs: 0 }))
}
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
    await markAt()
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

  it.each([-2, 2, 46])('touches nothing while the clock is %i days off', async (days) => {
    await fill(3)
    await changeSettings({ retentionDays: 90 }, call)
    await emptyTables(auditEntries)
    await markAt(days)
    const refuse = () => Promise.reject(new Error('A copy was made for a purge that must not be.'))
    expect(await runMaintenance(() => call, running(), refuse)).toMatchObject({ anonymized: 0, erased: 0, doubt: {} })
    expect(await names()).toEqual(Array(7).fill('Ana Cole'))
    expect(await auditLines()).toEqual([])
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

  it('spares responses stored and deleted under a clock that was behind', async () => {
    await markAt(0)
    await changeSettings({ retentionDays: 90 }, call)
    const behind = testCall({ now: new Date(now - 4000 * DAY), role: 'owner' })
    await createRsvp(testRsvp(), behind)
    await deleteRsvp({ id: String((await createRsvp(testRsvp({ name: 'Kim' }), behind)).id) }, behind)
    expect(await runMaintenance(() => call, running(), saved)).toMatchObject({ anonymized: 0, erased: 0 })
    const after = async (days: number) => {
      await markAt(-days)
      return runMaintenance(() => testCall({ now: new Date(now + days * DAY), actor: 'site' }), running(), saved)
    }
    expect(await after(31)).toMatchObject({ anonymized: 0, erased: 1 })
    expect(await after(75)).toMatchObject({ anonymized: 0, erased: 0 })
    expect(await after(91)).toMatchObject({ anonymized: 1, erased: 0 })
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
    const hourAgo = now - 3600 * 1000 - 1
    const moments = [now, now - 30 * DAY].map((usedAt) => ({ createdAt: usedAt, usedAt }))
    const rows = moments.map((moment) => ({ administratorId: 1, tokenHash: String(moment.usedAt), ...moment }))
    await transaction((tx) => tx.insert(sessions).values(rows))
    await transaction((tx) =>
      tx.batch([
        tx.insert(allowances).values({ name: 'rsvp 203.0.113.7', fullAt: now }),
        tx.insert(signInAttempts).values({ who: 'network 203.0.113.7', failures: 1, nextAt: hourAgo, knownUntil: 0 }),
      ]),
    )
    await runMaintenance(() => call, running(), saved)
    expect([await db.$count(allowances), await db.$count(signInAttempts)]).toEqual([0, 0])
    expect(await db.select().from(sessions)).toMatchObject([{ usedAt: now }])
  })
})
