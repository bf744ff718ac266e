import { setTimeout as delay } from 'node:timers/promises'
import { isOutage } from '#db/errors.ts'
import type { Call } from '#db/operation.ts'
import { listRsvps, responsesFrom, responsesOf } from '#db/rsvp/list.ts'
import type { RsvpFilter } from '#db/rsvp/list-schema.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import type { Context } from '../context.ts'

const READ_INTERVAL_MS = 1000
/** The size of the first page: enough for the usual case; the pages after it are larger. */
const FIRST_PAGE = 20

/** The responses that arrive from now on, oldest first, until the signal. */
export async function* newResponses(
  filter: Pick<RsvpFilter, 'week'>,
  { call, signal }: Context,
): AsyncGenerator<StoredRsvp> {
  const [newest] = responsesOf(await listRsvps({ ...filter, limit: 1 }, call))
  let last = newest?.id ?? 0
  while (await passes(READ_INTERVAL_MS, signal)) {
    const fresh = await newerThan(last, filter, call)
    last = fresh.at(-1)?.id ?? last
    yield* fresh
  }
}

/** Oldest first. A database that is busy for a moment is read again at the next interval. */
async function newerThan(last: number, filter: Pick<RsvpFilter, 'week'>, call: Call): Promise<StoredRsvp[]> {
  const fresh: StoredRsvp[] = []
  try {
    for await (const responses of responsesFrom(await listRsvps({ ...filter, limit: FIRST_PAGE }, call), call)) {
      const newer = responses.filter(({ id }) => id > last)
      fresh.push(...newer)
      if (newer.length < responses.length) break
    }
  } catch (error) {
    if (isOutage(error)) return []
    throw error
  }
  return fresh.reverse()
}

/** Resolves to true after the delay, or to false as soon as the signal aborts it. */
function passes(ms: number, signal: AbortSignal): Promise<boolean> {
  return delay(ms, true, { signal }).catch(() => false)
}
