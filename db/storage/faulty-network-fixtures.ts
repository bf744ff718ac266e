import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

type Exchange = { response: ServerResponse; forward: () => Promise<Response> }

/** What can happen to a request between a site and its libSQL server. */
const faults = {
  'the connection is cut before the server has it': async ({ response }: Exchange) => void response.destroy(),
  'the answer is lost': async ({ response, forward }: Exchange) => {
    await forward()
    response.destroy()
  },
  'the answer is cut off': async ({ response, forward }: Exchange) => {
    const answer = await (await forward()).text()
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length })
    response.write(answer.slice(0, answer.length / 2), () => response.destroy())
  },
  'a load balancer has no server': async ({ response }: Exchange) => void response.writeHead(503).end(),
  'a load balancer lost the server': async ({ response, forward }: Exchange) => {
    await forward()
    response.writeHead(502).end()
  },
  'a load balancer lost patience': async ({ response, forward }: Exchange) => {
    await forward()
    response.writeHead(504).end()
  },
  'it is refused': async ({ response }: Exchange) => void response.writeHead(429).end(),
  'nobody answers': async () => {},
}
export type Fault = keyof typeof faults

/** Stands between a site and its libSQL server, and fails in those requests that it is told to. */
export async function startFaultyNetwork(server: string) {
  const planned: { fault: Fault; words: RegExp }[] = []

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    const forward = () =>
      fetch(new URL(request.url ?? '', server), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
    const index = planned.findIndex(({ words }) => words.test(body))
    const [plan] = index === -1 ? [] : planned.splice(index, 1)
    if (plan !== undefined) return faults[plan.fault]({ response, forward })
    const answer = await forward()
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  }

  const proxy = createServer((request, response) => void pass(request, response).catch(() => response.destroy()))
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    /** Lets so many requests fail in whose text the words occur. */
    plan: (fault: Fault, words: RegExp, times = 1) => planned.push(...Array(times).fill({ fault, words })),
    /** How many failures are still to come. */
    left: () => planned.length,
    forgive: () => void planned.splice(0),
    stop: async () => {
      proxy.close()
      proxy.closeAllConnections()
    },
  }
}
