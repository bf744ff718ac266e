import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { type AddressInfo, createServer, isIP, type ListenOptions, Server as NetServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { UserError } from '#db/errors.ts'

/** Further listeners that hand their connections to the front server. */
const others: NetServer[] = []

/**
 * Listens on sockets that a service manager has opened and keeps open while the site restarts, so that no connection is
 * refused meanwhile.
 * @param sockets their file descriptors, at least one.
 * @throws UserError 'configuration' where they are open on another address than the settings say.
 */
export async function listenOn(
  front: FastifyInstance,
  sockets: number[],
  { host, port }: { host: string; port: number },
): Promise<void> {
  const [first, ...more] = sockets
  // Node takes the descriptor, and Fastify would look up the name `localhost` without an address.
  await front.listen({ fd: first, host: '127.0.0.1' } as { host: string })
  for (const fd of more) await accept(front, { fd })
  const open = addressOf(front)
  const isSameHost = isIP(host) === 0 || open?.address === host
  if (open?.port === port && isSameHost) return
  const todo = 'Bring both together: `sudo rsvp service install`, with --site where there are several sites.'
  throw new UserError(
    'configuration',
    `systemd listens on ${open?.address}, port ${open?.port} for this site; the settings say ${host}, port ${port}. ${todo}`,
  )
}

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

async function listenAlso(front: FastifyInstance, host: string): Promise<void> {
  const at = addressOf(front)
  // A computer without IPv6 may still resolve localhost to ::1.
  if (at !== undefined) await accept(front, { host, port: at.port }).catch(() => {})
}

async function accept({ server }: FastifyInstance, where: ListenOptions & { fd?: number }): Promise<void> {
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
