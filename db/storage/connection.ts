import type { Value } from '@libsql/client'

export type Statement = { sql: string; args: (Value | boolean)[] }

/** The values of each row, in the order of the columns. */
export type ResultSet = { rows: ArrayLike<Value>[] }

/** Runs statements one after the other, and returns what each of them returned. */
export type Execute = (statements: Statement[]) => Promise<ResultSet[]>

/** What runs in a transaction, perhaps several times: it does nothing but read and write the database. */
export type Work<Result> = (execute: Execute) => Promise<Result>

/** What became of the work of one: `reason` is what it threw. */
export type Outcome = { value: unknown } | { reason: unknown }

export type WriteOptions = {
  /**
   * Writing twice leaves the same rows and gives the same results as writing once: so a transaction whose COMMIT got no
   * reply from a server is run again. Any other fails then.
   */
  repeatable?: boolean
  /** Until when to retry, on the clock of `performance.now()`; by default the deadline of the current request. */
  deadline?: number
}

/** Reads and writes of one database, a file or a server. Nothing else calls the driver. */
export type Connection = {
  /** Whether it is a server, which may have tables of its own for its functions: their names begin with `libsql_`. */
  isServer?: true
  read(statement: Statement): Promise<ResultSet>
  /** One transaction: all of its writes or, where it throws, none. Durable once it resolves. */
  write<Result>(work: Work<Result>, options?: WriteOptions): Promise<Result>
  /**
   * The same for statements that leave the same rows when they run twice, and need nothing of each other's results: one
   * request to a server, sent again where its reply is lost.
   */
  batch(statements: Statement[], options?: Pick<WriteOptions, 'deadline'>): Promise<ResultSet[]>
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
