import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fileDatabase } from '#testing/database-fixtures.ts'
import { startLibsqlServer } from '../../scripts/testing/libsql-server.mjs'
import {
  closeDatabase,
  db,
  openedDatabase,
  setConnection,
  setDamaged,
  type Transaction,
  transaction,
} from './client.ts'
import { openLocal } from './local.ts'
import { openRemote } from './remote.ts'

// The contract of the connection, the same for a file and a server. Everything above it is tested on a file.

const things = sqliteTable('things', { id: integer().primaryKey(), name: text().notNull().unique() })

const insert = (name: string) => (tx: Transaction) => tx.insert(things).values({ name })
const names = async () => (await db.select().from(things).orderBy(things.id)).map(({ name }) => name)

const databases = {
  'a file': async () => {
    const { folder, stop } = fileDatabase()
    return { stop, open: () => openLocal(`${folder}/rsvp.db`, { mustExist: false }) }
  },
  'a libSQL server': async () => {
    const { url, stop } = await startLibsqlServer()
    return { stop, open: async () => openRemote(url, undefined) }
  },
}

describe.each(Object.entries(databases))('the connection to %s', (_, start) => {
  let database: Awaited<ReturnType<typeof start>>
  beforeAll(async () => {
    database = await start()
    setConnection(await database.open())
    const create = 'CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)'
    await openedDatabase().batch([{ sql: create, args: [] }])
  })
  beforeEach(() => transaction((tx) => tx.delete(things)))
  afterAll(async () => {
    await closeDatabase()
    await database.stop()
  })

  it('stores a transaction, which reads its own writes', async () => {
    const read = await transaction(async (tx) => {
      await insert('a')(tx)
      return [await tx.select().from(things), await names()]
    })
    expect(read).toEqual([[{ id: 1, name: 'a' }], ['a']])
    expect(await names()).toEqual(['a'])
  })

  it('stores nothing of a transaction in which a statement failed, even if the work caught the error', async () => {
    const failed = transaction(async (tx) => {
      await tx.batch([insert('a')(tx), insert('b')(tx)])
      await insert('a')(tx).catch(() => {})
    })
    await expect(failed).rejects.toThrow('The database refused a statement (SQLITE_CONSTRAINT')
    expect(await names()).toEqual([])
  })

  it('undoes only the refused ones of concurrent transactions, and rejects each with its reason', async () => {
    const refusal = new Error('No.')
    const refused = async (tx: Transaction) => {
      await insert('refused')(tx)
      throw refusal
    }
    const outcomes = await Promise.allSettled(
      [insert('a'), refused, insert('b'), insert('a'), insert('c')].map((work) => transaction<unknown>(work)),
    )
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, false, true])
    expect(outcomes[1]).toMatchObject({ reason: refusal })
    expect(outcomes[3]).toMatchObject({ reason: { message: expect.stringMatching(/refused a statement \(SQLITE_C/) } })
    expect(await names()).toEqual(['a', 'b', 'c'])
  })

  it('runs one transaction after the other', async () => {
    await transaction(insert('0'))
    const count = () =>
      transaction(async (tx) => {
        const [thing] = await tx.select().from(things)
        await tx.update(things).set({ name: String(Number(thing?.name) + 1) })
      })
    await Promise.all(Array.from({ length: 20 }, count))
    expect(await names()).toEqual(['20'])
  })

  it('refuses a transaction inside another one, which would wait for it for ever', async () => {
    const nested = transaction(async (tx) => {
      await insert('outer')(tx)
      await transaction(insert('inner'))
    })
    await expect(nested).rejects.toThrow('cannot begin another')
    expect(await names()).toEqual([])
  })

  it('refuses writes outside of a transaction', async () => {
    const reader = db as Transaction
    const refused = { message: expect.stringContaining('transaction(') }
    const withQuery = reader.with(reader.$with('all').as(db.select().from(things))).delete(things)
    await expect(withQuery).rejects.toMatchObject(refused)
    await expect(insert('alone')(reader)).rejects.toMatchObject(refused)
    const mixed = reader.batch([reader.select().from(things), insert('alone')(reader)])
    await expect(mixed).rejects.toThrow('transaction(')
    expect(await names()).toEqual([])
  })

  it('never quotes bound values in an error', async () => {
    await transaction(insert('a prayer request'))
    const error = await transaction(insert('a prayer request')).catch((reason: unknown) => reason)
    expect(String(error)).toMatch(/constraint/i)
    expect(String(error) + JSON.stringify(error)).not.toContain('prayer')
  })

  it('returns values unchanged, and refuses integers that a number cannot hold', async () => {
    const read = async (sql: string) => {
      const { rows } = await openedDatabase().read({ sql, args: [] })
      return Array.from(rows[0] ?? [])
    }
    expect(await read("SELECT 1, 1.5, 'Ana', NULL, x'0102'")).toEqual([1, 1.5, 'Ana', null, Uint8Array.of(1, 2).buffer])
    await expect(read('SELECT 9007199254740993')).rejects.toThrow()
  })

  it('stores nothing once damage is found, until another file has replaced the damaged one', async () => {
    setDamaged(true)
    await expect(transaction(insert('a'))).rejects.toMatchObject({ code: 'damaged' })
    expect(await names()).toEqual([])
    setDamaged(false)
    await transaction(insert('a'))
    expect(await names()).toEqual(['a'])
  })

  it('returns another `changes()` after a write', async () => {
    const before = openedDatabase().changes()
    expect(before).toEqual(expect.any(String))
    await transaction(insert('a'))
    expect(openedDatabase().changes()).not.toBe(before)
  })

  it('has stored every transaction that it acknowledged while closing', async () => {
    const writes = Array.from({ length: 40 }, (__, number) => transaction(insert(`${number}`)))
    const outcomes = Promise.allSettled(writes)
    await closeDatabase()
    await closeDatabase()
    await expect(names()).rejects.toMatchObject({ message: 'Call openDatabase() first.' })
    const stored = (await outcomes).flatMap(({ status }, number) => (status === 'fulfilled' ? [`${number}`] : []))
    setConnection(await database.open())
    expect(await names()).toEqual(expect.arrayContaining(stored))
  })
})
