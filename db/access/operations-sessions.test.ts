import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { auditEntries } from '#db/audit/table.ts'
import { auditLines, describeOnBothDatabases, emptyTables, fileDatabase, testCall } from '#db/fixtures.ts'
import { openDatabase } from '#db/open.ts'
import { closeDatabase, db, openedDatabase, transaction } from '#db/storage/client.ts'
import { holdLock } from '../../scripts/testing/hold-lock.mjs'
import { deleteOverSessions, endSessions, findSession, listSessions } from './sessions.ts'
import { signOut } from './sign-in.ts'
import { sessions } from './table.ts'
import { hashOfToken } from './tokens.ts'

// One waits out what a request waits for a lock.
vi.hoisted(() => Object.assign(globalThis.rsvpTestOverrides, { REQUEST_DEADLINE_MS: 1000 }))

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const start = testCall().now.getTime()

const callAt = (ms: number) => testCall({ now: new Date(start + ms) })
const find = (token: string, ms = 0) => findSession(token, callAt(ms))

/** Starts sessions, one after the other, without the half second that a password takes. */
async function begin(...tokens: string[]): Promise<number[]> {
  const rows = tokens.map((token) => ({ tokenHash: hashOfToken(token), createdAt: start, usedAt: start }))
  const made = await transaction((tx) => tx.insert(sessions).values(rows).returning({ id: sessions.id }))
  return made.map(({ id }) => id)
}

async function usedAt(): Promise<number[]> {
  return (await db.select().from(sessions)).map((session) => session.usedAt - start)
}

async function clear() {
  await emptyTables(sessions, auditEntries)
}

describeOnBothDatabases('a session', () => {
  beforeEach(clear)

  it('is found by its token alone', async () => {
    const [id] = await begin('one', 'two')
    expect(await find('one')).toEqual({ id })
    for (const forged of ['', 'ONE', hashOfToken('one'), '%']) {
      expect(await find(forged)).toBeUndefined()
    }
  })

  it('ends when it was not used for 3 hours', async () => {
    await begin('one', 'two')
    expect(await find('one', 3 * HOUR)).toBeUndefined()
    expect(await find('one', 3 * HOUR - 1)).toBeDefined()
    expect(await find('two', 3 * HOUR)).toBeUndefined()
    expect(await find('one', 6 * HOUR - 2)).toBeDefined()
  })

  it('ends after 12 hours however often it is used', async () => {
    await begin('one')
    for (let ms = HOUR; ms < 12 * HOUR; ms += HOUR) expect(await find('one', ms)).toBeDefined()
    expect(await find('one', 12 * HOUR - 1)).toBeDefined()
    expect(await find('one', 12 * HOUR)).toBeUndefined()
  })

  it('that was started under a clock far ahead has ended, and is deleted with the others', async () => {
    await begin('one')
    // The clock is right again: 300 days, or a little more than a session may last, before that sign-in.
    for (const ms of [-300 * 24 * HOUR, -12 * HOUR - 1]) {
      expect(await find('one', ms)).toBeUndefined()
      expect(await listSessions(callAt(ms))).toEqual([])
    }
    // Two instances whose clocks differ by a little.
    expect(await find('one', -HOUR)).toBeDefined()
    await deleteOverSessions(callAt(-300 * 24 * HOUR))
    expect(await db.$count(sessions)).toBe(0)
  })

  it('has its own last use stored, at most once a minute', async () => {
    await begin('one', 'two')
    for (const [ms, stored] of [
      [MINUTE - 1, 0],
      [MINUTE, MINUTE],
      [MINUTE + 1, MINUTE],
      [2 * MINUTE - 1, MINUTE],
      [2 * MINUTE + 5, 2 * MINUTE + 5],
    ] as const) {
      await find('one', ms)
      expect(await usedAt()).toEqual([stored, 0])
    }
  })

  it('ends at a sign-out with its token, and no other does', async () => {
    await begin('one', 'two')
    await signOut({ token: 'one' }, testCall({ actor: 'session 1' }))
    expect(await find('one')).toBeUndefined()
    expect(await find('two')).toBeDefined()
    expect(await auditLines()).toEqual(['session 1: signed out'])
  })

  it('stays at a sign-out without its token, and nothing is audited', async () => {
    await begin('one')
    for (const token of [undefined, '', 'three']) await signOut({ token }, testCall())
    expect(await find('one')).toBeDefined()
    expect(await auditLines()).toEqual([])
  })
})

describeOnBothDatabases('sessions', () => {
  beforeEach(clear)

  it('are listed with their moments, the latest first', async () => {
    const [first, second] = await begin('one', 'two')
    const createdAt = '2025-01-05T14:00:00.000Z'
    await find('one', 10 * MINUTE)
    expect(await listSessions(callAt(HOUR))).toEqual([
      { id: second, createdAt, usedAt: createdAt, endsAt: '2025-01-05T17:00:00.000Z' },
      { id: first, createdAt, usedAt: '2025-01-05T14:10:00.000Z', endsAt: '2025-01-05T17:10:00.000Z' },
    ])
    expect(await listSessions(callAt(3 * HOUR))).toMatchObject([{ id: first }])
    expect(await listSessions(callAt(3 * HOUR + 10 * MINUTE))).toEqual([])
  })

  it('are listed as ending after 12 hours even in use', async () => {
    const [id = 0] = await begin('one')
    await transaction((tx) => tx.update(sessions).set({ usedAt: start + 11 * HOUR }))
    const ends = [{ id, endsAt: '2025-01-06T02:00:00.000Z' }]
    expect(await listSessions(callAt(12 * HOUR - 1))).toMatchObject(ends)
    expect(await listSessions(callAt(12 * HOUR))).toEqual([])
  })

  it('end by their ids, or all together', async () => {
    const [one = 0, two = 0, three = 0] = await begin('one', 'two', 'three')
    const ended = await endSessions([three, one, 999, one], testCall())
    expect(ended.toSorted((a, b) => a - b)).toEqual([one, three])
    expect(await listSessions(testCall())).toMatchObject([{ id: two }])
    expect(await endSessions('all', testCall())).toEqual([two])
    expect(await listSessions(testCall())).toEqual([])
    const lines = [`${three} ${one} 999 ${one}`, 'all'].map((ids) => `terminal: sessions ended ${ids}`)
    expect(await auditLines()).toEqual(lines)
  })

  it.each([[[]], [[999]]])('stay when %j are to end, and nothing is audited', async (ids) => {
    await begin('one')
    expect(await endSessions(ids, testCall())).toEqual([])
    expect(await find('one')).toBeDefined()
    expect(await auditLines()).toEqual([])
  })

  it.each(['1', 'All', [0], [1.5], ['1'], undefined])('do not end by %j', async (ids) => {
    await begin('one')
    await expect(endSessions(ids, testCall())).rejects.toMatchObject({ code: 'invalid' })
    expect(await find('one')).toBeDefined()
  })

  it.each([
    [{ createdAt: start - 12 * HOUR, usedAt: start }, 0],
    [{ createdAt: start - 3 * HOUR, usedAt: start - 3 * HOUR + 1 }, 1],
  ])('as %j are deleted once they have ended', async (moments, left) => {
    await transaction((tx) => tx.insert(sessions).values({ tokenHash: 'x', ...moments }))
    await deleteOverSessions(testCall())
    expect(await db.$count(sessions)).toBe(left)
    expect(await auditLines()).toEqual([])
  })
})

describe('a session whose last use cannot be stored', () => {
  const aMinuteLater = callAt(MINUTE)
  let database: ReturnType<typeof fileDatabase>
  beforeEach(async () => {
    database = fileDatabase()
    await openDatabase(database.url)
    await begin('one')
  })
  afterEach(async () => {
    await closeDatabase()
    database.stop()
  })

  it('is found all the same', async () => {
    const release = await holdLock(join(database.folder, 'rsvp.db'), { kind: 'IMMEDIATE' })
    const found = await findSession('one', aMinuteLater).catch((error) => error)
    await release()
    expect(found).toEqual({ id: 1 })
    expect(await usedAt()).toEqual([0])
  })

  it('fails when the reason is a bug', async () => {
    const refuse = "CREATE TRIGGER refuse BEFORE UPDATE ON sessions BEGIN SELECT raise(ABORT, 'no'); END"
    await openedDatabase().batch([{ sql: refuse, args: [] }])
    await expect(findSession('one', aMinuteLater)).rejects.toThrow('The database refused a statement')
  })
})
