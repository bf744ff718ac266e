import { setTimeout as delay } from 'node:timers/promises'
import { isOutage } from '#db/errors.ts'
import { keepHouse } from '#db/housekeeping.ts'
import { logBug } from './log.ts'
import { siteCall } from './site-call.ts'

const HOUR = 60 * 60 * 1000

/** Does what is due by the calendar, now and every hour; answers how to stop it, between two writes. */
export function startHousekeeping(): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  const running = run(signal)
  return async () => {
    stopping.abort()
    await running
  }
}

async function run(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await keepHouse(siteCall(), signal)
    } catch (error) {
      // A database that is busy now is not in an hour.
      if (!isOutage(error)) logBug(error, 'housekeeping')
    }
    await delay(HOUR, undefined, { signal, ref: false }).catch(() => {})
  }
}
