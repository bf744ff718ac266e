import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { refusal } from './guard.ts'

type Request = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders' | 'httpVersion'> & {
  socket: Pick<IncomingMessage['socket'], 'remoteAddress'>
}

/**
 * Who may read the metrics: who has the token, and this computer itself, as open mode judges it. A proxy on this computer
 * is not: it forwards for others. Anyone else is told nothing, not even that there are metrics or a token for them.
 * @param token that was given in the settings; where there is none, none opens them.
 */
export function openMetricsAccess(token: string | undefined, publicUrl: string | undefined) {
  const expected = token === undefined ? undefined : hashOf(token)
  return (request: Request): boolean => {
    const sent = bearerOf(request)
    if (expected !== undefined && sent !== undefined) {
      // Hashes have one length, so that the time tells nothing of the token.
      return timingSafeEqual(hashOf(sent), expected)
    }
    return isLoopbackPeer(request) && refusal(request, { onlyThisComputer: true, publicUrl }) === undefined
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
