import { UserError } from './errors.ts'

/** Determines the order in which work starts. */
type Place = {
  /** The line it waits in: lines take turns, however long they are. */
  line: string
  /** Lower ranks start first. */
  rank?: number
  /** Whether the result is still wanted; checked when its turn comes. */
  isWanted?: () => boolean
}
type Waiting = Required<Place> & { start(): void; reject(reason: UserError): void }

/** Runs work when its turn comes, and returns its result. */
type FairQueue = <Output>(work: () => Promise<Output>, place: Place) => Promise<Output>

/**
 * Limits how much work runs concurrently and how much waits, and with them memory and waiting time.
 * @returns a function that runs work. It throws UserError 'overloaded' for work that is no longer wanted when its turn comes
 * and, when the queue is full, for the last item in the longest line of the highest rank.
 */
export function openFairQueue({
  concurrency,
  maximumWaiting,
}: {
  concurrency: number
  maximumWaiting: number
}): FairQueue {
  /** In the order of their turns; none is empty. */
  let lines: Waiting[][] = []
  let running = 0

  return async (work, place) => {
    if (running < concurrency) running += 1
    else await turnOf(place)
    try {
      return await work()
    } finally {
      startNext()
    }
  }

  function turnOf({ line, rank = 0, isWanted = () => true }: Place): Promise<void> {
    return new Promise((start, reject) => {
      const own = lines.find(([first]) => first?.line === line) ?? []
      own.push({ line, rank, isWanted, start, reject })
      if (own.length === 1) lines.push(own)
      if (lines.reduce((sum, { length }) => sum + length, 0) > maximumWaiting) rejectOne(own)
    })
  }

  /** Prefers the newcomer if other lines are no worse: the others have waited longer. */
  function rejectOne(own: Waiting[]): void {
    const longest = lines.reduce((most, line) => (comesLater(line, most) ? line : most), own)
    longest.pop()?.reject(overloaded())
    lines = lines.filter(({ length }) => length > 0)
  }

  /** Starts the next work that is still wanted. */
  function startNext(): void {
    while (lines.length > 0) {
      const line = lines.reduce((best, other) => (rankOf(other, 0) < rankOf(best, 0) ? other : best))
      const next = line.shift()
      // The line moves behind all others.
      lines = [...lines.filter((other) => other !== line), line].filter(({ length }) => length > 0)
      if (next?.isWanted()) {
        next.start()
        return
      }
      next?.reject(overloaded())
    }
    running -= 1
  }
}

function comesLater(line: Waiting[], other: Waiting[]): boolean {
  const ranks = rankOf(line, -1) - rankOf(other, -1)
  return ranks > 0 || (ranks === 0 && line.length > other.length)
}

function rankOf(line: Waiting[], position: number): number {
  return line.at(position)?.rank ?? 0
}

function overloaded(): UserError {
  return new UserError('overloaded', 'This site is very busy right now. Try again in a few seconds.', [], 5)
}
