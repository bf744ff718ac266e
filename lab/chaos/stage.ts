import type { Ledger, Submission } from './ledger.ts'
import type { Random } from './random.ts'
import type { Stored } from './stored.ts'

/** A database with a past, on which one round is played after the other. */
export type Stage = {
  ledger: Ledger
  again: Submission[]
  refusedIsNotStored: boolean
  /** Puts load on the site, kills something, and answers what is stored then. */
  round(random: Random): Promise<Stored>
  /** Copies the database into a folder, for whoever wants to know what happened. */
  keep(folder: string): void
  stop(): Promise<void>
}
