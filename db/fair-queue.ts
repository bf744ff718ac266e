import { UserError } from './errors.ts'

type Place = {
  /** The line it waits in: lines take turns, however long they are. */
  line: string
  /** Lower ranks start first. */
  rank?: number
  /** Whether the result is still wanted; checked when its turn comes. */
  isWanted?: () => boolean
}
type Waiting = Required<Place> & { turn: number; start(): void; reject(reason: UserError): void }

type FairQueue = <Output>(work: () => Promise<Output>, place: Place) => Promise<Output>

/**
 * Limits how much work runs concurrently and how much waits, and with them memory and waiting time.
 * @returns a function that runs work. It throws UserError 'overloaded' for work that is no longer wanted when its turn comes
 * and, when the queue is full, for the last item in the longest line of the highest rank.
 */
export function openFairQueue(limits: { concurrency: number; maximumWaiting: number }): FairQueue {
  /** In the order in which they start. */
  const waiting: Waiting[] = []
  let running = 0
  /** The turn of the item that was started last. */
  let turn = 0

  return async (work, { line, rank = 0, isWanted = () => true }) => {
    if (running < limits.concurrency) running += 1
    else await new Promise<void>((start, reject) => join({ line, rank, isWanted, start, reject }))
    try {
      return await work()
    } finally {
      startNext()
    }
  }

  function join(place: Omit<Waiting, 'turn'>): void {
    const before = waiting.findLast(({ line, rank }) => line === place.line && rank === place.rank)
    const own = { ...place, turn: Math.max(before?.turn ?? 0, turn) + 1 }
    const next = waiting.findIndex(({ rank, turn }) => rank > own.rank || (rank === own.rank && turn > own.turn))
    waiting.splice(next === -1 ? waiting.length : next, 0, own)
    if (waiting.length > limits.maximumWaiting) waiting.pop()?.reject(overloaded())
  }

  function startNext(): void {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      turn = Math.max(turn, next.turn)
      if (next.isWanted()) {
        next.start()
        return
      }
      next.reject(overloaded())
    }
    running -= 1
  }
}

function overloaded(): UserError {
  return new UserError('overloaded', 'This site is very busy right now. Try again in a few seconds.', [], 5)
}
