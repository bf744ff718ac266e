import { areWritesRefused, observeWrites, openedDatabase } from '#db/storage/client.ts'

/**
 * Tells of each write of this process from now on: how long it took, and the error of one that failed.
 * @returns a function that says what waits at the moment. It asks the database nothing.
 */
export function watchActivity(written: Parameters<typeof observeWrites>[0]) {
  observeWrites(written)
  return () => ({ ...openedDatabase().load(), isDamaged: areWritesRefused() })
}
