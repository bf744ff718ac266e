import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { refusal } from './guard.ts'

type Request = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders' | 'httpVersion'> & {
  socket: Pick<IncomingMessage['socket'], 'remoteAddress'>
}

/** `hidden`: who asks is told nothing, not even that there are metrics. */
export type MetricsAccess = 'allowed' | 'wrong-token' | 'hidden'

/**
 * Who may read the metrics: who has the token, and this computer itself, as open mode judges it. A proxy on this computer
 * is not: it forwards for others.
 * @param token that was given in the settings; where there is none, none opens them.
 */
export function openMetricsAccess(token: string | undefined, publicUrl: string | undefined) {
  const expected = token === undefined ? undefined : hashOf(token)
  return (request: Request): MetricsAccess => {
    const sent = bearerOf(request)
    if (expected !== undefined && sent !== undefined) {
      // Hashes have one length, so that the time tells nothing of the token.
      return timingSafeEqual(hashOf(sent), expected) ? 'allowed' : 'wrong-token'
    }
    const isHere = isLoopbackPeer(request) && refusal(request, { onlyThisComputer: true, publicUrl }) === undefined
    return isHere ? 'allowed' : 'hidden'
  }
}

function bearerOf({ headers: { authorization = '' } }: Request): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1]
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function isLoopbackPeer({ socket: { remoteAddress = '' } }: Request): boolean {
  return ipaddr.isValid(remoteAddress) && ipaddr.process(remoteAddress).range() === 'loopback'
}
