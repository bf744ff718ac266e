import { resolve } from 'node:path'
import type { Value } from '@libsql/client'
import Database from 'libsql'
import AsyncDatabase from 'libsql/promise'
import type { Execute, Outcome, ResultSet, Statement, Work } from './connection.ts'
import { LIST_SCHEMA, type SchemaObject, schemaObject } from './tables.ts'

/** SQLite's own busy timeout, in ms: short, because it blocks the event loop. The queue retries for longer. */
const BUSY_TIMEOUT_MS = 20

/** Statements that are kept: no PRAGMAs, which may run while being prepared, and no long SQL, which is used once. */
const KEPT = /^\s*(select|insert|update|delete)\b/i
const KEPT_LENGTH_MAXIMUM = 10_000
const KEPT_MAXIMUM = 100

type Prepared = Database.Statement<unknown[]>

/**
 * One connection to a file, which it creates if it does not exist. Keeps prepared statements: `@libsql/client`, which uses
 * the same driver, would prepare every statement again.
 */
export class LocalClient {
  readonly #path: string
  readonly #kept = new Map<string, Prepared>()
  #database: Database.Database | undefined
  #isClosed = false

  constructor(path: string) {
    this.#path = resolve(path)
    this.#open()
  }

  /** Runs one statement. Use `commitTogether` for a write, which the driver may acknowledge here without storing it. */
  execute({ sql, args: values }: Statement): ResultSet {
    const prepared = this.#prepare(sql)
    const args = values.map(sentValue)
    // Both calls reset the statement first. Reading all rows ends it, so that it holds no lock until it runs again.
    if (prepared.reader) return { rows: (prepared.all(args) as unknown[][]).map((row) => row.map(storedValue)) }
    prepared.run(args)
    return { rows: [] }
  }

  /**
   * Runs works in one transaction, each in its own savepoint: if one throws, only its writes are undone; if the database
   * fails, nothing is stored. BEGIN and COMMIT go through `exec`, which resets a statement that fails: a prepared COMMIT
   * that meets a reader would keep its lock, even against this process. Call nothing else before this is done.
   */
  async commitTogether(works: Work<unknown>[]): Promise<Outcome[]> {
    const database = this.#open()
    database.exec('BEGIN IMMEDIATE')
    try {
      const outcomes = []
      for (const work of works) outcomes.push(await this.#runInSavepoint(work, database))
      // In a thread of the driver, so that the event loop goes on while the disk writes.
      await AsyncDatabase.prototype.exec.call(database, 'COMMIT')
      return outcomes
    } finally {
      if (database.inTransaction) database.exec('ROLLBACK')
    }
  }

  async #runInSavepoint(work: Work<unknown>, database: Database.Database): Promise<Outcome> {
    let isOver = false
    let failure: unknown
    const execute: Execute = async (statements) => {
      if (isOver) throw new Error('A statement of a transaction was not awaited: the transaction is over.')
      try {
        return statements.map((statement) => this.execute(statement))
      } catch (error) {
        failure = error
        throw error
      }
    }
    database.exec('SAVEPOINT work')
    const outcome: Outcome = await work(execute).then(
      (value) => ({ value }),
      (reason) => ({ reason }),
    )
    isOver = true
    // After a failed statement only a new connection is safe, even if the work caught the error.
    if (failure !== undefined) throw failure
    if ('reason' in outcome) database.exec('ROLLBACK TO work')
    database.exec('RELEASE work')
    return outcome
  }

  /** Closes the connection; the next call opens another one. */
  reconnect(): void {
    this.#kept.clear()
    this.#database?.close()
    this.#database = undefined
  }

  close(): void {
    this.reconnect()
    this.#isClosed = true
  }

  #open(): Database.Database {
    if (this.#isClosed) throw new Error('The connection is closed.')
    this.#database ??= new Database(this.#path, { timeout: BUSY_TIMEOUT_MS })
    return this.#database
  }

  #prepare(sql: string): Prepared {
    const known = this.#kept.get(sql)
    if (known !== undefined) return known
    const prepared = this.#open().prepare(sql).safeIntegers(true)
    if (prepared.reader) prepared.raw(true)
    if (sql.length > KEPT_LENGTH_MAXIMUM || !KEPT.test(sql)) return prepared
    const [oldest] = this.#kept.keys()
    if (oldest !== undefined && this.#kept.size >= KEPT_MAXIMUM) this.#kept.delete(oldest)
    this.#kept.set(sql, prepared)
    return prepared
  }
}

/** The schema that these statements create in an empty database. */
export function schemaMadeBy(sqls: string[]): SchemaObject[] {
  const database = new Database(':memory:')
  try {
    for (const sql of sqls) database.exec(sql)
    return (database.prepare(LIST_SCHEMA).raw(true).all() as unknown[][]).map(schemaObject)
  } finally {
    database.close()
  }
}

/** Converts booleans, which would end the process, and refuses values that the driver would store as NULL. */
function sentValue(value: Statement['args'][number] | undefined): Value {
  if (typeof value === 'boolean') return Number(value)
  if (value === undefined || (typeof value === 'number' && !Number.isFinite(value)))
    throw new TypeError('A value of a statement is undefined, or not a finite number.')
  return value
}

/** Converts a value to what `@libsql/client` returns from a server. */
function storedValue(value: unknown): Value {
  if (value instanceof Buffer) return value.buffer as ArrayBuffer
  if (typeof value !== 'bigint') return value as Value
  if (!Number.isSafeInteger(Number(value))) throw new RangeError('The database holds an integer that is too large.')
  return Number(value)
}
