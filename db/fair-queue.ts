import { UserError } from './errors.ts'

/** Whose turn it is when several wait. */
type Place = {
  /** Whose line it waits in: each line gets its turn, however long the others are. */
  line: string
  /** Lower ranks go first. */
  rank?: number
  /** Whether anybody still wants it. */
  isWanted?: () => boolean
}
type Waiting = Required<Place> & { start(): void; refuse(reason: UserError): void }

/** Runs a piece of work when it is its turn, and answers what that answers. */
export type FairQueue = <Output>(work: () => Promise<Output>, place: Place) => Promise<Output>

/**
 * Lets so many pieces of work run at once and so many wait, so that they never take more memory or time than that.
 * @returns what runs them; it throws UserError 'overloaded' where there is no room to wait, for what has the highest
 * rank and stands last in the longest line, and for what nobody wants any more when its turn has come.
 */
export function openFairQueue({ atOnce, waitingMaximum }: { atOnce: number; waitingMaximum: number }): FairQueue {
  /** In the order of their turns; none of them is empty. */
  let lines: Waiting[][] = []
  let running = 0

  return async (work, place) => {
    if (running < atOnce) running += 1
    else await turnOf(place)
    try {
      return await work()
    } finally {
      startNext()
    }
  }

  function turnOf({ line, rank = 0, isWanted = () => true }: Place): Promise<void> {
    return new Promise((start, refuse) => {
      const own = lines.find(([first]) => first?.line === line) ?? []
      own.push({ line, rank, isWanted, start, refuse })
      if (own.length === 1) lines.push(own)
      if (lines.reduce((sum, { length }) => sum + length, 0) > waitingMaximum) refuseOne(own)
    })
  }

  /** Where others stand no better, it is the newcomer: whoever waits already has waited longer. */
  function refuseOne(own: Waiting[]): void {
    const crowded = lines.reduce((most, line) => (comesLater(line, most) ? line : most), own)
    crowded.pop()?.refuse(overloaded())
    lines = lines.filter(({ length }) => length > 0)
  }

  /** What has ended leaves its place to the next one that somebody still wants. */
  function startNext(): void {
    while (lines.length > 0) {
      const line = lines.reduce((best, other) => (rankOf(other, 0) < rankOf(best, 0) ? other : best))
      const next = line.shift()
      // Behind all others from now on.
      lines = [...lines.filter((other) => other !== line), line].filter(({ length }) => length > 0)
      if (next?.isWanted()) {
        next.start()
        return
      }
      next?.refuse(overloaded())
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
  return new UserError(
    'overloaded',
    'Very many people use this site at this moment. Try again in a few seconds.',
    [],
    5,
  )
}
