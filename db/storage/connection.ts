import type { InStatement, ResultSet } from '@libsql/client'

export type Statement = Exclude<InStatement, string>

/** The two doors to a database, whether it is a file or a server. Nothing else touches the driver. */
export type Connection = {
  read(statement: Statement): Promise<ResultSet>
  /** All of the statements or none, durable once it resolves. */
  write(statements: Statement[]): Promise<ResultSet[]>
  /** Takes a file that others can read away from them; asked for once it is known to be ours. */
  keepPrivate(): Promise<void>
  /** Writes a file anew, without what is left of erased rows in the unused parts of its pages. */
  rewrite(): Promise<void>
  /** Writes everything as it is at one moment into a new database file. */
  copyTo(file: string): Promise<void>
  close(): Promise<void>
}
