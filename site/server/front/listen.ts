import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer, Server as NetServer } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Listens for the front on other addresses. */
const others: NetServer[] = []

/**
 * Listens on an address, or on both that localhost stands for. Fastify would make a second web server for the other one,
 * which had none of what is set up on the first: so what connects there is handed to the first.
 */
export async function listen(front: FastifyInstance, host: string, port: number): Promise<void> {
  const found = host === 'localhost' ? await lookup(host, { all: true }) : []
  const [first = host, ...more] = new Set(found.map(({ address }) => address))
  await front.listen({ host: first, port })
  for (const address of more) await listenAlso(front, address)
}

/** Nobody new is let in. Not the web server's own way, which closes every idle connection at once. */
export function stopListening(front: FastifyInstance): void {
  for (const server of [front.server, ...others]) NetServer.prototype.close.call(server)
}

async function listenAlso({ server }: FastifyInstance, host: string): Promise<void> {
  const at = server.address()
  if (typeof at !== 'object' || at === null) return
  // Node looks up what to do about errors on the server that a socket names.
  const other = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    server.emit('connection', Object.assign(socket, { server }))
  })
  try {
    await once(other.listen({ host, port: at.port }), 'listening')
  } catch {
    // A computer without IPv6 may still have a name for it.
    return
  }
  others.push(other)
}
