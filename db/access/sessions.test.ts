import { beforeEach, describe, expect, it, vi } from 'vitest'
import { openDatabase } from '#db/open.ts'
import { db, transaction } from '#db/storage/client.ts'
import { administrators, sessions } from '#db/tables/access.ts'
import {
  addAdministrator,
  auditLines,
  callOf,
  describeOnBothDatabases,
  fileForEachTest,
  testCall,
} from '#testing/database-fixtures.ts'
import { holdLock } from '../../scripts/testing/hold-lock.mjs'
import { addSession, emptyAccess } from './fixtures.ts'
import { deleteOverSessions, endOtherSessions, findSession, listOwnSessions } from './sessions.ts'
import { signOut } from './sign-in.ts'
import { hashOfToken } from './tokens.ts'

// One test waits as long as a request waits for a lock.
vi.hoisted(() => Object.assign(globalThis.rsvpTestOverrides, { REQUEST_DEADLINE_MS: 1000 }))

const SECOND = 1000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE
const start = testCall().now.getTime()
let ruth: number

const callAt = (ms: number) => testCall({ now: new Date(start + ms) })
const listAt = (ms: number) => listOwnSessions(callOf(ruth, { now: callAt(ms).now }))
const find = (token: string, ms = 0) => findSession(token, callAt(ms))

/** Starts sessions of Ruth, and returns their ids. */
async function begin(...tokens: string[]): Promise<number[]> {
  const ids: number[] = []
  for (const token of tokens) ids.push(await addSession(ruth, token))
  return ids
}

async function usedAt(): Promise<number[]> {
  return (await db.select().from(sessions)).map((session) => session.usedAt - start)
}

async function clear() {
  await emptyAccess()
  ruth = await addAdministrator({ role: 'reader', seesContacts: true })
}

describeOnBothDatabases('a session', () => {
  beforeEach(clear)

  it('is found by its token only', async () => {
    const [id] = await begin('one', 'two')
    expect(await find('one')).toEqual({
      role: 'reader',
      administrator: { id: ruth, name: 'Ruth Cole', session: id, provenAt: 0, seesContacts: true, prayers: 'none' },
    })
    for (const forged of ['', 'ONE', hashOfToken('one'), '%']) {
      expect(await find(forged)).toBeUndefined()
    }
  })

  it('ends after 30 days without use', async () => {
    await begin('one', 'two')
    expect(await find('one', 30 * DAY)).toBeUndefined()
    expect(await find('one', 30 * DAY - 1)).toBeDefined()
    expect(await find('two', 30 * DAY)).toBeUndefined()
    expect(await find('one', 60 * DAY - 2)).toBeDefined()
  })

  it('ends after 180 days however often it is used', async () => {
    await begin('one')
    for (let ms = 20 * DAY; ms < 180 * DAY; ms += 20 * DAY) expect(await find('one', ms)).toBeDefined()
    expect(await find('one', 180 * DAY - 1)).toBeDefined()
    expect(await find('one', 180 * DAY)).toBeUndefined()
  })

  it('that was started while the clock was far ahead has ended, and is deleted', async () => {
    await begin('one')
    // The clock is right again: it shows a time 300 days, or a little more than a day, before that sign-in.
    for (const ms of [-300 * DAY, -DAY - 1]) {
      expect(await find('one', ms)).toBeUndefined()
      expect(await listAt(ms)).toEqual([])
    }
    // The clocks of two instances may differ a little.
    expect(await find('one', -60 * MINUTE)).toBeDefined()
    await deleteOverSessions(callAt(-300 * DAY))
    expect(await db.$count(sessions)).toBe(0)
  })

  it('of a removed person is not found', async () => {
    await begin('one')
    await transaction((tx) => tx.update(administrators).set({ removedAt: start }))
    expect(await find('one')).toBeUndefined()
  })

  it('stores its last use at most once a minute', async () => {
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

  it('ends at a sign-out with its token, which alone is audited', async () => {
    await begin('one', 'two')
    for (const token of [undefined, '', 'three', 'one']) await signOut({ token }, testCall({ actor: 'session 1' }))
    expect(await find('one')).toBeUndefined()
    expect(await find('two')).toBeDefined()
    expect(await auditLines()).toEqual(['session 1: signed out'])
  })
})

describeOnBothDatabases('sessions', () => {
  beforeEach(clear)

  it('are listed with their moments, the most recently used first', async () => {
    const [first, second] = await begin('one', 'two')
    const line = { browser: '', createdAt: '2025-01-05T14:00:00.000Z', isThis: false }
    await find('one', 10 * MINUTE)
    expect(await listAt(DAY)).toEqual([
      { ...line, id: first, usedAt: '2025-01-05T14:10:00.000Z' },
      { ...line, id: second, usedAt: line.createdAt },
    ])
    expect(await listAt(30 * DAY)).toMatchObject([{ id: first }])
    expect(await listAt(30 * DAY + 10 * MINUTE)).toEqual([])
  })

  it("of the caller are listed, and the others of these end, but no one else's", async () => {
    const [one = 0, two = 0, three = 0] = await begin('one', 'two', 'three')
    const other = await addSession(await addAdministrator({ email: null }), 'other')
    const own = callOf(ruth, {}, { session: two })
    const listed = await listOwnSessions(own)
    expect(listed.map(({ id }) => id)).toEqual([three, two, one])
    expect(listed.map(({ isThis }) => isThis)).toEqual([false, true, false])
    await endOtherSessions(own)
    expect(await db.select().from(sessions)).toMatchObject([{ id: two }, { id: other }])
    expect(await auditLines()).toEqual(['session 7: sessions ended all others of their own'])
  })
})

describe('a session whose last use cannot be stored', () => {
  const database = fileForEachTest()

  it('is found nevertheless', async () => {
    await openDatabase(database.url)
    ruth = await addAdministrator()
    await begin('one')
    const release = await holdLock(database.file, { kind: 'IMMEDIATE' })
    const found = await find('one', MINUTE).catch((error) => error)
    await release()
    expect(found).toMatchObject({ role: 'owner', administrator: { session: 1 } })
    expect(await usedAt()).toEqual([0])
  })
})
