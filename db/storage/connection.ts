import type { Value } from '@libsql/client'

export type Statement = { sql: string; args: (Value | boolean)[] }

/** The values of each row, in the order of the columns. */
export type ResultSet = { rows: ArrayLike<Value>[] }

/** Runs statements one after the other, and returns the result of each. */
export type Execute = (statements: Statement[]) => Promise<ResultSet[]>

/** The work of a transaction. It may run several times, so it must do nothing but read and write the database. */
export type Work<Result> = (execute: Execute) => Promise<Result>

/** The value that one work returned, or the `reason` that it threw. */
export type Outcome = { value: unknown } | { reason: unknown }

export type WriteOptions = {
  /**
   * Running it twice leaves the same rows and gives the same results as once, so it runs again if its COMMIT got no
   * reply from a server. Any other transaction then fails.
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
   * The same for statements that leave the same rows if they run twice, and do not use each other's results: one
   * request to a server, sent again if its reply is lost.
   */
  batch(statements: Statement[]): Promise<ResultSet[]>
  /**
   * If it returns the same text twice, nothing was stored in between. For a file it changes with every commit of any
   * process, for a server with our own commits and every second. Undefined if that cannot be told.
   */
  changes(): string | undefined
  /**
   * Called once it is known to be our database. Restricts a file to its owner (0600); from then on a token that a
   * server refuses is an outage, not a wrong setting.
   */
  accept(): Promise<void>
  /** Rewrites a file (VACUUM), which removes remains of erased rows from unused parts of its pages. */
  rewrite(): Promise<void>
  /** Copies a consistent snapshot of everything into a new database file. */
  copyTo(file: string): Promise<void>
  close(): Promise<void>
}
