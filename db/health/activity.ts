import { activity } from '#db/storage/activity.ts'
import { areWritesRefused, openedDatabase } from '#db/storage/client.ts'

/** What this process has asked of its database since it started, and what waits now. Asks the database nothing. */
export function readActivity() {
  return { ...activity, waiting: openedDatabase().waiting(), isDamaged: areWritesRefused() }
}
