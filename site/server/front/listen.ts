import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { type AddressInfo, createServer, type ListenOptions, Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { overridable } from '#db/test-override.ts'

const others: NetServer[] = []
/** How long requests in flight may take to arrive and be served. */
const DRAIN_TIMEOUT_MS = overridable('DRAIN_TIMEOUT_MS', 8_000)
/** Until the process ends in any case; a service manager would kill it soon after. */
const EXIT_TIMEOUT_MS = DRAIN_TIMEOUT_MS + 2_000
const POLL_INTERVAL = 50
/** After this many polls without a byte, no client is about to send another request on an open connection. */
const QUIET_POLLS = 10
/** A client that connects over and over must not keep the server from stopping. */
const ACCEPT_TURNS = 50
/** Exit code when a client got no reply. */
const EXIT_NOT_SERVED = 1

/**
 * Listens on an address, or on both addresses of localhost. Fastify would start a second web server without our listeners
 * for the other one, so its connections are handed to the first instead.
 */
export async function listen(front: FastifyInstance, host: string, port: number): Promise<void> {
  const found = host === 'localhost' ? await lookup(host, { all: true }) : []
  const [first = host, ...more] = new Set(found.map(({ address }) => address))
  await front.listen({ host: first, port })
  // A computer without IPv6 may still resolve localhost to ::1.
  for (const address of more) await accept(front, { host: address, port: addressOf(front)?.port }).catch(() => {})
}

/**
 * Returns a function that stops the server: it serves every request in flight, closes the database, and ends the process
 * with the first exit code it was given.
 *
 * Node calls a connection idle until it has read a part of a request, though one may be on its way, and closing it would
 * lose that request. So no new connections are accepted, every reply announces that it is the last on its connection, and
 * only connections that have been quiet for a while are closed from our side.
 */
export function createStop(front: FastifyInstance, closeDatabase: () => Promise<void>): (exitCode: number) => void {
  const connections = new Set<Socket>()
  let accepted = 0
  front.server.on('connection', (socket) => {
    accepted += 1
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })

  front.addHook('onSend', (_request, reply, _body, done) => {
    if (front.isStopping) reply.header('connection', 'close')
    done()
  })
  // A terminal or service manager signals the whole process group, and npm signals too: only the first counts.
  return (exitCode) => {
    if (front.isStopping) return
    front.isStopping = true
    stop(exitCode)
  }

  async function stop(exitCode: number): Promise<void> {
    // While a server closes, Node no longer times out requests that arrive in part.
    setTimeout(() => front.server.closeAllConnections(), DRAIN_TIMEOUT_MS).unref()
    setTimeout(() => process.exit(exitCode || EXIT_NOT_SERVED), EXIT_TIMEOUT_MS).unref()
    await acceptWaiting()
    // No new connections. Unlike `close()` of the web server, which Fastify calls, this leaves idle ones open.
    for (const server of [front.server, ...others]) NetServer.prototype.close.call(server)
    await quiet()
    // Connections that a browser opened in advance do not count as idle to Node.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
    // The web server counts only connections to its own address, and would not wait for the others.
    for (; connections.size > 0; await wait(POLL_INTERVAL)) front.server.closeIdleConnections()
    await front.close()
    await closeDatabase()
    process.exit(exitCode)
  }

  /** Connections in the system's backlog would be reset. Node accepts a few of them in each turn. */
  async function acceptWaiting(): Promise<void> {
    let before = -1
    for (let turn = 0; turn < ACCEPT_TURNS && before !== accepted; turn++) {
      before = accepted
      await nextTurn()
      await nextTurn()
    }
  }

  /** Counted in polls, not in time: on a busy machine bytes may stay unread for long. */
  async function quiet(): Promise<void> {
    let before = -1
    for (let quietPolls = 0; quietPolls < QUIET_POLLS && connections.size > 0; ) {
      await wait(POLL_INTERVAL)
      const bytes = Array.from(connections, ({ bytesRead, bytesWritten }) => bytesRead + bytesWritten)
      const now = bytes.reduce((sum, more) => sum + more, 0)
      quietPolls = now === before ? quietPolls + 1 : 0
      before = now
    }
  }
}

async function accept({ server }: FastifyInstance, where: ListenOptions): Promise<void> {
  // Node finds the handler of connection errors through `socket.server`.
  const other = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    server.emit('connection', Object.assign(socket, { server }))
  })
  other.maxConnections = server.maxConnections
  await once(other.listen(where), 'listening')
  others.push(other)
}

function addressOf({ server }: FastifyInstance): AddressInfo | undefined {
  const at = server.address()
  return typeof at === 'object' && at !== null ? at : undefined
}
