import type { Value } from '@libsql/client'

export type Statement = { sql: string; args: (Value | boolean)[] }

/** The values of each row, in the order of the columns. */
export type ResultSet = { rows: ArrayLike<Value>[] }

export type WriteOptions = {
  /**
   * Writing twice leaves the same rows and gives the same results as writing once: so a write whose reply was lost is
   * sent again. Any other write fails then.
   */
  repeatable?: boolean
  /** Until when to retry, on the clock of `performance.now()`; by default the deadline of the current request. */
  deadline?: number
}

/**
 * A kind of write that many callers make at the same time: those that wait together run as the statements of one, so that
 * a group takes few statements however many are in it.
 */
export type SharedWrite<Item, Result> = {
  /** The statements that write all of these items, one after the other as far as anyone can tell. */
  statements(items: Item[]): Statement[]
  /** What each item's caller gets, in the order of the items. */
  results(results: ResultSet[], items: Item[]): Result[]
}

/** Reads and writes of one database, a file or a server. Nothing else calls the driver. */
export type Connection = {
  /** Whether it is a server, which may have tables of its own for its functions: their names begin with `libsql_`. */
  isServer?: true
  read(statement: Statement): Promise<ResultSet>
  /** One transaction: all of the statements or none, durable once it resolves. */
  write(statements: Statement[], options?: WriteOptions): Promise<ResultSet[]>
  /** The same for one item of a write that is shared; where one item is at fault, the others are written without it. */
  writeShared<Item, Result>(write: SharedWrite<Item, Result>, item: Item, options?: WriteOptions): Promise<Result>
  /**
   * The same text twice: what was read in between is still what is stored. On a file it changes with every commit of any
   * process, on a server with our own and every second. Undefined while that cannot be told.
   */
  changes(): string | undefined
  /**
   * How many reads and writes wait for their turn, and how many attempts met a lock, or got no reply, and were made once
   * more since it was opened.
   */
  load(): { waiting: number; retries: number }
  /**
   * Called once we know that it is our database. Restricts a file to its owner (0600); from then on a token that a server
   * refuses is an outage, not a wrong setting.
   */
  accept(): Promise<void>
  /** Rewrites a file (VACUUM), which removes what is left of erased rows in the unused parts of its pages. */
  rewrite(): Promise<void>
  /** Copies a consistent snapshot of everything into a new database file. */
  copyTo(file: string): Promise<void>
  close(): Promise<void>
}
