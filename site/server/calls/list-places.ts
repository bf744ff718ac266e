import { setImmediate as nextTurn } from 'node:timers/promises'
import { openFairQueue } from '#db/fair-queue.ts'
import { overridable } from '#db/test-override.ts'

/** Lists that visitors may have open at a time: each holds a part of the list and its compression in memory. */
const OPEN_MAXIMUM = 64
const WAITING_MAXIMUM = 64
/** One network may hold more than these only while no other network waits. */
const OPEN_OF_NETWORK = 16
/** Pieces made at a time for all lists together: other calls need their turns in between. */
const MADE_AT_ONCE = 2
/**
 * A reader that takes fewer bytes than this in so many milliseconds gives its place to one that waits. Progress on a slow
 * line shows in steps, whenever a third of the system's buffer is empty, and so not within a second.
 */
const LEAST_TAKEN = 32 * 1024
const LONGEST_PAUSE = overridable('LIST_PAUSE_MS', 5000)
const LOOK_INTERVAL = 100

type Reader = Pick<App.Locals, 'network' | 'reply'>
/** A list that is being read; `taken` counts the bytes that had been sent when its reader last made progress. */
type OpenList = Reader & { taken: number; takenAt: number; isBeingMade: boolean }
/** Makes the next piece of a list when its turn comes. */
export type Maker = <Piece>(make: () => Promise<Piece>) => Promise<Piece>

const open = new Set<OpenList>()
const places = openFairQueue({ concurrency: OPEN_MAXIMUM, maximumWaiting: WAITING_MAXIMUM })
const making = openFairQueue({ concurrency: MADE_AT_ONCE, maximumWaiting: OPEN_MAXIMUM })

/**
 * Waits for one of the places for lists and holds it until the reply ends. A slow reader holds its place only while no one
 * else waits for one.
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
      // The reader was not to blame for that time.
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

/** Counts as open until everything is sent or the client has disconnected. */
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

/** Closes one list to make room: of the network with the most lists, the one whose reader has paused longest. */
async function makeRoomFor(newcomer: OpenList): Promise<void> {
  // By then the progress made during other work is known.
  await nextTurn()
  if (open.has(newcomer) || newcomer.reply.destroyed) return
  for (const list of open) noteProgress(list)
  const share = Math.max(OPEN_OF_NETWORK, openListsOf(newcomer.network))
  const candidates = Array.from(open).filter(
    (list) => pauseOf(list) > LONGEST_PAUSE || openListsOf(list.network) > share,
  )
  const [first] = candidates.toSorted(
    (one, other) => openListsOf(other.network) - openListsOf(one.network) || pauseOf(other) - pauseOf(one),
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

/** Milliseconds for which it has been the reader's turn. */
function pauseOf({ takenAt, isBeingMade }: OpenList): number {
  return isBeingMade ? 0 : performance.now() - takenAt
}

function openListsOf(network: string): number {
  return Array.from(open).filter((list) => list.network === network).length
}
