import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { refusal } from '#site/server/access/guard.ts'

type Request = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders' | 'httpVersion'> & {
  socket: Pick<IncomingMessage['socket'], 'remoteAddress'>
}

/**
 * Who may read the metrics: who has the token, and this computer itself, as open mode judges it. A proxy on this computer
 * is not: it forwards for others. Anyone else is told nothing, not even that there are metrics or a token for them.
 * @param token that was given in the settings; where there is none, none opens them.
 */
export function openMetricsAccess(token: string | undefined, publicUrl: string | undefined) {
  return (request: Request): boolean => {
    const [, sent] = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? []
    // Hashes have one length, so that the time tells nothing of the token.
    if (token !== undefined && sent !== undefined) return timingSafeEqual(hashOf(sent), hashOf(token))
    return isLoopbackPeer(request) && refusal(request, { onlyThisComputer: true, publicUrl }) === undefined
  }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function isLoopbackPeer({ socket: { remoteAddress = '' } }: Request): boolean {
  return ipaddr.isValid(remoteAddress) && ipaddr.process(remoteAddress).range() === 'loopback'
}
