import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { overridable } from '#db/values/test-override.ts'

/** How long requests in flight may take to arrive and be served. */
const DRAIN_TIMEOUT_MS = overridable('DRAIN_TIMEOUT_MS', 8_000)
/** Until the process ends in any case; a service manager would kill it soon after. */
const EXIT_TIMEOUT_MS = DRAIN_TIMEOUT_MS + 2_000
/** Exit code when a client got no reply. */
const EXIT_NOT_SERVED = 1

/**
 * Returns a function that stops the server: it accepts no more connections, serves every request in flight, closes the
 * database, and ends the process with the first exit code it was given.
 */
export function createStop(front: FastifyInstance, closeDatabase: () => Promise<void>): (exitCode: number) => void {
  let isStopping = false
  const connections = new Set<Socket>()
  front.server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  front.addHook('onSend', async (_request, reply) => {
    if (isStopping) reply.header('connection', 'close')
  })
  // A terminal or service manager signals the whole process group, and npm signals too: only the first counts.
  return (exitCode) => {
    if (isStopping) return
    isStopping = true
    stop(exitCode)
  }

  async function stop(exitCode: number): Promise<void> {
    // While a server closes, Node no longer times out requests that arrive in part.
    setTimeout(() => front.server.closeAllConnections(), DRAIN_TIMEOUT_MS).unref()
    setTimeout(() => process.exit(exitCode || EXIT_NOT_SERVED), EXIT_TIMEOUT_MS).unref()
    // Connections that a browser opened in advance do not count as idle to Node.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
    await front.close()
    await closeDatabase()
    process.exit(exitCode)
  }
}
