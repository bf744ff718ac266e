import { sql } from 'drizzle-orm'
import { signInAttempts } from '#db/access/table.ts'
import { openDatabase } from '#db/open.ts'
import { closeDatabase, transaction } from '#db/storage/client.ts'

/** Makes everyone who has to wait before the next password wait so many ms longer. */
export async function lengthenWaits(url: string, ms: number): Promise<void> {
  await openDatabase(url)
  await transaction((tx) => tx.update(signInAttempts).set({ nextAt: sql`${signInAttempts.nextAt} + ${ms}` }))
  await closeDatabase()
}
