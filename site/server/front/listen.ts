import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer, Server as NetServer } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Further listeners that hand their connections to the front server. */
const others: NetServer[] = []

/**
 * Listens on an address, or on both addresses of localhost. Fastify would start a second web server without our listeners
 * for the other one, so its connections are handed to the first instead.
 */
export async function listen(front: FastifyInstance, host: string, port: number): Promise<void> {
  const found = host === 'localhost' ? await lookup(host, { all: true }) : []
  const [first = host, ...more] = new Set(found.map(({ address }) => address))
  await front.listen({ host: first, port })
  for (const address of more) await listenAlso(front, address)
}

/** Accepts no new connections. Unlike `server.close()`, this leaves idle connections open. */
export function stopListening(front: FastifyInstance): void {
  for (const server of [front.server, ...others]) NetServer.prototype.close.call(server)
}

async function listenAlso({ server }: FastifyInstance, host: string): Promise<void> {
  const at = server.address()
  if (typeof at !== 'object' || at === null) return
  // Node finds the handler of connection errors through `socket.server`.
  const other = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    server.emit('connection', Object.assign(socket, { server }))
  })
  try {
    await once(other.listen({ host, port: at.port }), 'listening')
  } catch {
    // A computer without IPv6 may still resolve localhost to ::1.
    return
  }
  others.push(other)
}
