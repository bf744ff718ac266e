import { countDuration, type Durations, noDurations } from '#db/values/tallies.ts'

/** Node reads more of them, and clients may choose: what is not here is counted as `other`. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'other'] as const
const CLASSES = 5

/** What became of requests since the start, by route: its pattern, of which there are as many as there are files of pages. */
export type RequestCounts = { open: number; byRoute: Map<string, RouteCounts> }

/** How many replies there were for each method and class of status, in the order of `repliesOf`. */
type RouteCounts = { replies: number[]; durations: Durations }

export function noRequests(): RequestCounts {
  return { open: 0, byRoute: new Map() }
}

/** Counts a reply, in numbers that are there already: texts are made when someone asks. */
export function countReply(
  { byRoute }: RequestCounts,
  { method, route, status, ms }: { method: string; route: string; status: number; ms: number },
): void {
  let counts = byRoute.get(route)
  if (counts === undefined) {
    counts = { replies: Array<number>(METHODS.length * CLASSES).fill(0), durations: noDurations() }
    byRoute.set(route, counts)
  }
  const known = (METHODS as readonly string[]).indexOf(method)
  const place = (known === -1 ? METHODS.length - 1 : known) * CLASSES + Math.floor(status / 100) - 1
  counts.replies[place] = (counts.replies[place] ?? 0) + 1
  countDuration(counts.durations, ms)
}

/** How many replies there were, where there were any; `status` is a class, e.g. `2xx`. */
export function repliesOf({ replies }: RouteCounts): { method: string; status: string; count: number }[] {
  return replies.flatMap((count, place) => {
    const method = METHODS[Math.floor(place / CLASSES)] ?? 'other'
    return count === 0 ? [] : [{ method, status: `${(place % CLASSES) + 1}xx`, count }]
  })
}
