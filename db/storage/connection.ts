import type { Value } from '@libsql/client'

export type Statement = { sql: string; args: (Value | boolean)[] }

/** The values of each row, in the order of the columns. */
export type ResultSet = { rows: ArrayLike<Value>[] }

/** Runs statements one after the other. */
export type Execute = (statements: Statement[]) => Promise<ResultSet[]>

/** The work of a transaction. It may run several times, so it must do nothing but read and write the database. */
export type Work<Result> = (execute: Execute) => Promise<Result>

/** The value that a work returned, or the `reason` that it threw. */
export type Outcome = { value: unknown } | { reason: unknown }

export type WriteOptions = {
  /**
   * Whether a second run leaves the same rows and gives the same results. If so, it runs again when a server has not
   * replied to its COMMIT; any other transaction fails then.
   */
  repeatable?: boolean
}

/** Reads and writes of one database, a file or a server. Nothing else calls the driver. */
export type Connection = {
  /** A server may have internal tables, whose names begin with `libsql_`. */
  isServer?: true
  read(statement: Statement): Promise<ResultSet>
  /** One transaction: all of its writes or, if it throws, none. Durable once it resolves. */
  write<Result>(work: Work<Result>, options?: WriteOptions): Promise<Result>
  /**
   * A transaction of statements that do not use each other's results, and leave the same rows if they run twice. To a
   * server it is one request, which is sent again if the reply is lost.
   */
  batch(statements: Statement[]): Promise<ResultSet[]>
  /**
   * If two calls return the same text, nothing was stored in between. For a file the text changes with every commit of any
   * process; for a server with our own commits, and every second. Undefined if it is unknown.
   */
  changes(): string | undefined
  /**
   * Call it once this is known to be our database. Restricts a file to its owner (0600). If a server refuses the token
   * after that, it is an outage, not a wrong setting.
   */
  accept(): Promise<void>
  /** Rewrites a file (VACUUM), so that nothing of erased rows remains in unused parts of its pages. */
  rewrite(): Promise<void>
  /** Copies a consistent snapshot of everything into a new database file. */
  copyTo(file: string): Promise<void>
  close(): Promise<void>
}
