import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Whatever is in flight gets this long to arrive and be answered, in ms. */
const PATIENCE = 8_000
/** If even that does not end it; a service manager would kill it soon after, in ms. */
const LONGEST = 10_000
const LOOK_INTERVAL = 100
/** Exit code when somebody had to go without an answer. */
const EXIT_UNANSWERED = 1

/**
 * How to stop the server: everything in flight is answered, then the database is closed and the process ends with the
 * exit code that was asked for first.
 */
export function stopOf(front: FastifyInstance, closeDatabase: () => Promise<void>): (exitCode: number) => void {
  const connections = new Set<Socket>()
  front.server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })

  let stopping = false
  // A terminal or a service manager signals the whole group, and npm passes its own signal on: one of them counts.
  return (exitCode) => {
    if (stopping) return
    stopping = true
    stop(exitCode)
  }

  async function stop(exitCode: number): Promise<void> {
    // Closing ends the connections that are idle now. Not those that become idle once they are answered, nor those
    // that a browser opened in advance: to Node they are in the middle of a request.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
    setInterval(() => front.server.closeIdleConnections(), LOOK_INTERVAL).unref()
    // While it stops, Node no longer ends requests that never arrive whole.
    setTimeout(() => front.server.closeAllConnections(), PATIENCE).unref()
    setTimeout(() => process.exit(exitCode || EXIT_UNANSWERED), LONGEST).unref()
    await front.close()
    await closeDatabase()
    process.exit(exitCode)
  }
}
