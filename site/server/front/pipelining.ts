import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Requests that one connection may have open: the one that is being answered, and those sent ahead of their turn. */
const OPEN_MAXIMUM = 8
/** What Node's parser is told so that it reads nothing more of what has arrived. */
const STOP_READING = 2

type Connection = {
  /** Requests that were read and whose replies have not left yet. */
  open: number
  /** Somebody sent more ahead than is allowed: it ends after the replies to what was read. */
  isOver: boolean
  isAnswering: boolean
  waiting: (() => void)[]
}
/** What a parser calls for each request it has read; its answer says how to go on. */
type Parser = { onIncoming(request: IncomingMessage & { upgrade?: boolean }, keepAlive: boolean): unknown }

const connections = new WeakMap<Socket, Connection>()

/**
 * Answers the requests of one connection one after the other, as HTTP says it looks anyway. Node reads and starts all
 * that arrived together, and keeps the replies in memory until somebody reads them: a few kilobytes sent ahead would be
 * hundreds of pages. Browsers and proxies send nothing ahead.
 */
export function limitPipelining(front: FastifyInstance): void {
  front.server.on('connection', watch)
  countOpen(front.server)
  front.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
    const connection = connections.get(socket)
    if (connection === undefined) return done()
    function start(): void {
      reply.raw.once('close', () => startNext(socket, connection))
      done()
    }
    if (connection.isAnswering) {
      connection.waiting.push(start)
      return
    }
    connection.isAnswering = true
    start()
  })
}

function watch(socket: Socket): void {
  const connection: Connection = { open: 0, isOver: false, isAnswering: false, waiting: [] }
  connections.set(socket, connection)
  const parser = parserOf(socket)
  if (parser === undefined) return
  const { onIncoming } = parser
  // Only the parser can stop in the middle of what has arrived, which may be thousands of requests.
  parser.onIncoming = (request, keepAlive) => {
    if (!connection.isOver && connection.open < OPEN_MAXIMUM) return onIncoming(request, keepAlive)
    connection.isOver = true
    request.upgrade = false
    socket.pause()
    return STOP_READING
  }
}

function countOpen(server: Server): void {
  server.prependListener('request', ({ socket }, reply) => {
    const connection = connections.get(socket)
    if (connection === undefined) return
    connection.open += 1
    reply.once('close', () => {
      connection.open -= 1
      if (connection.isOver && connection.open === 0) socket.destroySoon()
    })
  })
}

/** Whoever has gone away gets no answers any more. */
function startNext(socket: Socket, connection: Connection | undefined): void {
  if (connection === undefined) return
  if (socket.destroyed) connection.waiting = []
  const next = connection.waiting.shift()
  connection.isAnswering = next !== undefined
  next?.()
}

/** Not in Node's documentation, but the same since its first versions; a test notices when it goes. */
function parserOf(socket: Socket): Parser | undefined {
  const parser = 'parser' in socket ? socket.parser : undefined
  return isParser(parser) ? parser : undefined
}

function isParser(parser: unknown): parser is Parser {
  return (
    typeof parser === 'object' && parser !== null && 'onIncoming' in parser && typeof parser.onIncoming === 'function'
  )
}
