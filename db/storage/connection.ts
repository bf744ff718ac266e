import type { InStatement, ResultSet } from '@libsql/client'

export type Statement = Exclude<InStatement, string>

export type WriteOptions = {
  /**
   * Writing twice leaves the same rows and gives the same results as writing once: so a write whose reply was lost is
   * sent again. Any other write fails then.
   */
  repeatable?: boolean
  /** Until when to retry, on the clock of `performance.now()`; by default the deadline of the current request. */
  deadline?: number
}

/** Reads and writes of one database, a file or a server. Nothing else calls the driver. */
export type Connection = {
  read(statement: Statement): Promise<ResultSet>
  /** One transaction: all of the statements or none, durable once it resolves. */
  write(statements: Statement[], options?: WriteOptions): Promise<ResultSet[]>
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
