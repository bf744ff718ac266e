import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

type Exchange = { response: ServerResponse; forward: () => Promise<Response> }

/** What can go wrong with a request between a site and its libSQL server. */
const faults = {
  'the connection breaks before the server has it': async ({ response }: Exchange) => void response.destroy(),
  'the reply is lost': async ({ response, forward }: Exchange) => {
    await forward()
    response.destroy()
  },
  'the reply is truncated': async ({ response, forward }: Exchange) => {
    const reply = await (await forward()).text()
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': reply.length })
    response.write(reply.slice(0, reply.length / 2), () => response.destroy())
  },
  'a load balancer has no server': async ({ response }: Exchange) => void response.writeHead(503).end(),
  'a load balancer lost the server': (exchange: Exchange) => afterwards(exchange, 502),
  'a load balancer timed out': (exchange: Exchange) => afterwards(exchange, 504),
  'it is rate-limited': async ({ response }: Exchange) => void response.writeHead(429).end(),
  'no reply comes': async () => {},
}
export type Fault = keyof typeof faults

async function afterwards({ response, forward }: Exchange, status: number): Promise<void> {
  await forward()
  response.writeHead(status).end()
}

/** A proxy between a site and its libSQL server that fails the planned requests. */
export async function startFaultyNetwork(server: string) {
  const planned: { fault: Fault; pattern: RegExp }[] = []

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    const forward = () =>
      fetch(new URL(request.url ?? '', server), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
    const index = planned.findIndex(({ pattern }) => pattern.test(body))
    const [plan] = index === -1 ? [] : planned.splice(index, 1)
    if (plan !== undefined) return faults[plan.fault]({ response, forward })
    const reply = await forward()
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text())
  }

  const proxy = createServer((request, response) => void pass(request, response).catch(() => response.destroy()))
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    /** Fails the next requests whose body matches the pattern. */
    plan: (fault: Fault, pattern: RegExp, times = 1) => planned.push(...Array(times).fill({ fault, pattern })),
    /** How many planned failures have not happened yet. */
    left: () => planned.length,
    clear: () => void planned.splice(0),
    stop: async () => proxy.close().closeAllConnections(),
  }
}
