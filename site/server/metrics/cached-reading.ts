import { setTimeout as delay } from 'node:timers/promises'
import { isOutage } from '#db/errors.ts'
import { logBug, logOutage } from '#site/server/log.ts'

/**
 * Reads something at most once in `ttlMs`, and never twice at a time: a disk or a database that hangs is asked once. What
 * takes longer than `timeoutMs` or fails is undefined for now.
 */
export function cachedReading<Value>(
  read: () => Promise<Value>,
  { ttlMs, timeoutMs }: { ttlMs: number; timeoutMs: number },
): () => Promise<Value | undefined> {
  let last: { at: number; value: Value | undefined } | undefined
  let reading: Promise<void> | undefined

  async function readAnew(): Promise<void> {
    try {
      last = { value: await read(), at: performance.now() }
    } catch (error) {
      last = undefined
      // One metric less is no reason to be without all the others.
      if (isOutage(error)) logOutage(error)
      else logBug(error, 'metrics')
    } finally {
      reading = undefined
    }
  }

  const current = () => (last !== undefined && performance.now() - last.at < ttlMs ? last : undefined)

  return async () => {
    if (current() === undefined) {
      reading ??= readAnew()
      await Promise.race([reading, delay(timeoutMs, undefined, { ref: false })])
    }
    return current()?.value
  }
}
