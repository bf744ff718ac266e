import { isOutage } from '#db/errors.ts'
import { logOutage } from './log.ts'

/** What a part of a page shows; null while it cannot be read, so that the rest is drawn all the same. */
export async function orNull<Output>(reading: Promise<Output>): Promise<{ read: Output } | null> {
  try {
    return { read: await reading }
  } catch (error) {
    if (!isOutage(error)) throw error
    logOutage(error)
    return null
  }
}
