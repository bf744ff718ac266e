/** How often each of a few names came up. */
export type Tally = Map<string, number>

export function tallyOne(tally: Tally, name: string): void {
  tally.set(name, (tally.get(name) ?? 0) + 1)
}

/** The upper bounds that durations are counted by, in seconds: from a page in memory to a database that is waited for. */
export const DURATION_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** How many durations ended at each bound but above the one before it, the last those above all; and their sum. */
export type Durations = { counts: number[]; sum: number }

export function noDurations(): Durations {
  return { counts: Array<number>(DURATION_BOUNDS.length + 1).fill(0), sum: 0 }
}

/** Counts one, in milliseconds. In numbers that are there already: it runs for every request. */
export function countDuration(durations: Durations, ms: number): void {
  const seconds = ms / 1000
  let place = 0
  while (seconds > (DURATION_BOUNDS[place] ?? Number.POSITIVE_INFINITY)) place += 1
  durations.counts[place] = (durations.counts[place] ?? 0) + 1
  durations.sum += seconds
}
