import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Requests that one connection may have open: the one being served, and those sent ahead. */
const OPEN_MAXIMUM = 8
/** Tells Node's parser to read nothing more of what has arrived. */
const STOP_READING = 2

type Connection = {
  /** Requests that were read and whose replies have not been sent yet. */
  open: number
  /** The client sent more ahead than is allowed: the connection ends after the replies to what was read. */
  isEnding: boolean
  isServing: boolean
  waiting: (() => void)[]
}
/** The hook that a parser calls for each request it has read; its return value says how to go on. */
type Parser = { onIncoming(request: IncomingMessage & { upgrade?: boolean }, keepAlive: boolean): unknown }

const connections = new WeakMap<Socket, Connection>()

/**
 * Serves the requests of one connection one at a time. Node starts all that arrived together and keeps the replies in
 * memory until the client reads them: a few kilobytes sent ahead would become hundreds of pages. Browsers and proxies
 * send nothing ahead.
 * @param requests where all that are open are counted.
 */
export function limitPipelining(front: FastifyInstance, requests: { open: number }): void {
  front.server.on('connection', watch)
  countOpen(front.server, requests)
  front.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
    const connection = connections.get(socket)
    if (connection === undefined) return done()
    function start(): void {
      reply.raw.once('close', () => startNext(socket, connection))
      done()
    }
    if (connection.isServing) {
      connection.waiting.push(start)
      return
    }
    connection.isServing = true
    start()
  })
}

function watch(socket: Socket): void {
  const connection: Connection = { open: 0, isEnding: false, isServing: false, waiting: [] }
  connections.set(socket, connection)
  const parser = parserOf(socket)
  if (parser === undefined) return
  const { onIncoming } = parser
  // Only the parser can stop in the middle of a chunk, which may hold thousands of requests.
  parser.onIncoming = (request, keepAlive) => {
    if (!connection.isEnding && connection.open < OPEN_MAXIMUM) return onIncoming(request, keepAlive)
    connection.isEnding = true
    request.upgrade = false
    socket.pause()
    return STOP_READING
  }
}

function countOpen(server: Server, requests: { open: number }): void {
  server.prependListener('request', ({ socket }, reply) => {
    const connection = connections.get(socket)
    if (connection === undefined) return
    connection.open += 1
    requests.open += 1
    reply.once('close', () => {
      requests.open -= 1
      connection.open -= 1
      if (connection.isEnding && connection.open === 0) socket.destroySoon()
    })
  })
}

/** Drops what is waiting when the client has disconnected. */
function startNext(socket: Socket, connection: Connection | undefined): void {
  if (connection === undefined) return
  if (socket.destroyed) connection.waiting = []
  const next = connection.waiting.shift()
  connection.isServing = next !== undefined
  next?.()
}

/** Undocumented, but unchanged since Node's first versions; a test fails when it goes. */
function parserOf(socket: Socket): Parser | undefined {
  const parser = 'parser' in socket ? socket.parser : undefined
  return isParser(parser) ? parser : undefined
}

function isParser(parser: unknown): parser is Parser {
  return (
    typeof parser === 'object' && parser !== null && 'onIncoming' in parser && typeof parser.onIncoming === 'function'
  )
}
