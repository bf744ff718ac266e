import { sql } from 'drizzle-orm'
import { signInAttempts } from '#db/access/table.ts'
import { openDatabase } from '#db/open.ts'
import { closeDatabase, db } from '#db/storage/client.ts'

/** Makes everyone who has to wait before the next password wait so many ms longer. */
export async function lengthenWaits(url: string, ms: number): Promise<void> {
  await openDatabase(url)
  await db.batch([db.update(signInAttempts).set({ nextAt: sql`${signInAttempts.nextAt} + ${ms}` })])
  await closeDatabase()
}
