import type { Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { stopListening } from './listen.ts'

/** Whatever is in flight gets this long to arrive and be answered, in ms. */
const PATIENCE = 8_000
/** If even that does not end it; a service manager would kill it soon after, in ms. */
const LONGEST = 10_000
const LOOK_INTERVAL = 50
/** After so many looks without a byte nobody is about to ask once more on a connection that he has used. */
const LOOKS_OF_SILENCE = 10
/** Somebody who connects over and over must not keep it from stopping. */
const TURNS_OF_ACCEPTING = 50
/** Exit code when somebody had to go without an answer. */
const EXIT_UNANSWERED = 1

/**
 * How to stop the server: everything in flight is answered, then the database is closed and the process ends with the
 * exit code that was asked for first.
 *
 * To Node a connection is idle while nothing of a request has been read from it, though one may be on its way: if it
 * were closed then, that request would get no answer. So nobody new is let in, every answer says that it is the last one
 * on its connection, and only connections that have been silent for a while are closed from this side.
 */
export function stopOf(front: FastifyInstance, closeDatabase: () => Promise<void>): (exitCode: number) => void {
  const connections = new Set<Socket>()
  let accepted = 0
  front.server.on('connection', (socket) => {
    accepted += 1
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })

  let stopping = false
  front.addHook('onSend', (_request, reply, _body, done) => {
    if (stopping) reply.header('connection', 'close')
    done()
  })
  // A terminal or a service manager signals the whole group, and npm passes its own signal on: one of them counts.
  return (exitCode) => {
    if (stopping) return
    stopping = true
    stop(exitCode)
  }

  async function stop(exitCode: number): Promise<void> {
    // While it stops, Node no longer ends requests that never arrive whole.
    setTimeout(() => front.server.closeAllConnections(), PATIENCE).unref()
    setTimeout(() => process.exit(exitCode || EXIT_UNANSWERED), LONGEST).unref()
    await acceptWaiting()
    // The web server's own comes with the front's.
    stopListening(front)
    await silence()
    // Not idle to Node, but in the middle of a request, are those that a browser opened in advance.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
    // The web server knows how many came to its own address only, and would not wait for the others.
    for (; connections.size > 0; await wait(LOOK_INTERVAL)) front.server.closeIdleConnections()
    await front.close()
    await closeDatabase()
    process.exit(exitCode)
  }

  /** Who has connected already would be turned away by the system. Node takes in a few of them at each turn. */
  async function acceptWaiting(): Promise<void> {
    let before = -1
    for (let turn = 0; turn < TURNS_OF_ACCEPTING && before !== accepted; turn++) {
      before = accepted
      await nextTurn()
      await nextTurn()
    }
  }

  /** Counted in looks, not in time: on a busy machine bytes may lie unread for long. */
  async function silence(): Promise<void> {
    let before = -1
    for (let silent = 0; silent < LOOKS_OF_SILENCE && connections.size > 0; ) {
      await wait(LOOK_INTERVAL)
      const bytes = Array.from(connections, ({ bytesRead, bytesWritten }) => bytesRead + bytesWritten)
      const now = bytes.reduce((sum, more) => sum + more, 0)
      silent = now === before ? silent + 1 : 0
      before = now
    }
  }
}
