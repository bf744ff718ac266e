import type { Ledger } from '../ledger.ts'
import type { Random } from '../random.ts'
import type { SentRsvp } from '../sent-rsvp.ts'
import type { Stored } from '../stored.ts'

/** A database on which rounds are played, each on what the round before has left. */
export type Stage = {
  ledger: Ledger
  again: SentRsvp[]
  refusedIsNotStored: boolean
  /** Puts load on the site, kills something, and returns what is stored then. */
  round(random: Random): Promise<Stored>
  /** Copies the database into a folder, as evidence. */
  keep(folder: string): void
  stop(): Promise<void>
}
