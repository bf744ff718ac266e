import { setImmediate as nextTurn } from 'node:timers/promises'
import { openFairQueue } from '#db/fair-queue.ts'

/** Lists that strangers may have open at once: each keeps some of it and its compression in memory. */
const OPEN_MAXIMUM = 64
const WAITING_MAXIMUM = 64
/** One network has more than these only as long as nobody else waits. */
const OPEN_OF_NETWORK = 16
/** The next pieces of all of them are made so many at once: other calls want their turns in between. */
const MADE_AT_ONCE = 2
/**
 * Whoever takes less than these bytes in so many ms leaves the place to somebody who waits for one. What a slow line
 * takes is seen in steps, as the system's buffer empties by a third, and so not within a second.
 */
const LEAST_TAKEN = 32 * 1024
const LONGEST_PAUSE = 5000
const LOOK_INTERVAL = 100

type Reader = Pick<App.Locals, 'network' | 'reply'>
/** A list that is being read; `taken` is what had left of it, in bytes, when its reader was last seen to read on. */
type OpenList = Reader & { taken: number; takenAt: number; isBeingMade: boolean }
/** Makes the next piece of a list when it is its turn. */
export type Maker = <Piece>(make: () => Promise<Piece>) => Promise<Piece>

const open = new Set<OpenList>()
const places = openFairQueue({ atOnce: OPEN_MAXIMUM, waitingMaximum: WAITING_MAXIMUM })
const making = openFairQueue({ atOnce: MADE_AT_ONCE, waitingMaximum: OPEN_MAXIMUM })

/**
 * Waits for one of the places for lists, until the reply is over. Slow readers keep theirs only as long as nobody else
 * wants it.
 * @throws UserError 'overloaded' when too many wait already.
 */
export async function takePlace({ network, reply }: Reader): Promise<Maker> {
  const list: OpenList = { network, reply, taken: 0, takenAt: 0, isBeingMade: false }
  await placeFor(list)
  return async (make) => {
    const askedAt = performance.now()
    list.isBeingMade = true
    try {
      return await making(make, { line: network })
    } finally {
      list.isBeingMade = false
      // That time was not the reader's.
      list.takenAt += performance.now() - askedAt
    }
  }
}

async function placeFor(list: OpenList): Promise<void> {
  const { network, reply } = list
  const looking = setInterval(makeRoomFor, LOOK_INTERVAL, list)
  try {
    await new Promise<void>((resolve, reject) => {
      const begin = () => {
        resolve()
        return untilOver(list)
      }
      places(begin, { line: network, isWanted: () => !reply.destroyed }).catch(reject)
      makeRoomFor(list)
    })
  } finally {
    clearInterval(looking)
  }
}

/** Counts as open until everything has left, or nobody waits for it any more. */
function untilOver(list: OpenList): Promise<void> {
  if (list.reply.destroyed) return Promise.resolve()
  list.takenAt = performance.now()
  open.add(list)
  return new Promise((resolve) => {
    list.reply.once('close', () => {
      open.delete(list)
      resolve()
    })
  })
}

/** Hangs up on one of those that are in the way: of the largest crowd, who has paused for longest. */
async function makeRoomFor(newcomer: OpenList): Promise<void> {
  // What has been read while there was other work is known by then.
  await nextTurn()
  if (open.has(newcomer) || newcomer.reply.destroyed) return
  for (const list of open) noteProgress(list)
  const share = Math.max(OPEN_OF_NETWORK, crowdIn(newcomer.network))
  const inTheWay = Array.from(open).filter((list) => pauseOf(list) > LONGEST_PAUSE || crowdIn(list.network) > share)
  const [first] = inTheWay.toSorted(
    (one, other) => crowdIn(other.network) - crowdIn(one.network) || pauseOf(other) - pauseOf(one),
  )
  if (first === undefined) return
  open.delete(first)
  first.reply.destroy()
}

function noteProgress(list: OpenList): void {
  const { socket, writableLength } = list.reply
  const taken = socket === null ? 0 : socket.bytesWritten - socket.writableLength
  if (writableLength > 0 && taken - list.taken < LEAST_TAKEN) return
  list.taken = taken
  list.takenAt = performance.now()
}

/** For how long it has been the reader's turn, in ms. */
function pauseOf({ takenAt, isBeingMade }: OpenList): number {
  return isBeingMade ? 0 : performance.now() - takenAt
}

function crowdIn(network: string): number {
  return Array.from(open).filter((list) => list.network === network).length
}
