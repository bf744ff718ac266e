import { type IncomingHttpHeaders, request } from 'node:http'
import { callOf } from '../exchange.ts'
import type { Server } from './servers.ts'
import { password } from './stored.ts'

/** When its first and its last byte came, in ms since the request was sent, and how long it was. */
export type TimedReply = { status: number; headers: IncomingHttpHeaders; first: number; last: number; bytes: number }
type Call = ReturnType<typeof callOf>

/** The cookie of an administrator who has just signed in. */
export async function signIn(server: Server): Promise<string> {
  const { status, headers } = await send(server, callOf('POST /api/session', { password }))
  if (status !== 204) throw new Error(`The sign-in was replied to with ${status}.`)
  return (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';', 1)[0]).join('; ')
}

/** Sends one request on a connection of its own and lets the reply's bytes go, however many they are. */
export function send({ port }: Server, { method, path, headers, body }: Call): Promise<TimedReply> {
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (reply) => {
      let first = 0
      let bytes = 0
      reply.on('data', ({ length }: Buffer) => {
        if (bytes === 0) first = performance.now() - started
        bytes += length
      })
      reply.once('end', () => {
        const last = performance.now() - started
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, first, last, bytes })
      })
      reply.once('error', reject)
    })
    outgoing.once('error', reject)
    outgoing.end(body)
  })
}
