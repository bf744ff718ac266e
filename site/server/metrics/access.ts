import { createHash, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { firstLine } from '#db/access/at-start.ts'
import type { Config } from '#db/config/config.ts'
import { metricsToken } from '#db/config/setting-values.ts'
import { UserError } from '#db/errors.ts'
import { errorCodeOf } from '#db/process/errors.ts'
import { refusal } from '#site/server/access/guard.ts'

type Request = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders' | 'httpVersion'> & {
  socket: Pick<IncomingMessage['socket'], 'remoteAddress'>
}

/**
 * The token that opens /metrics to other machines, if there is one: METRICS_TOKEN, or the first line of METRICS_TOKEN_FILE.
 * @throws UserError 'configuration' when both are given, or when the file holds none.
 */
export async function givenMetricsToken({
  metricsToken: token,
  metricsTokenFile: file,
}: Pick<Config, 'metricsToken' | 'metricsTokenFile'>): Promise<string | undefined> {
  if (file === undefined || file === '') return token
  if (token !== undefined) {
    throw new UserError('configuration', 'Give METRICS_TOKEN or METRICS_TOKEN_FILE, not both.')
  }
  const text = await readFile(file, 'utf8').catch((error) => {
    const code = errorCodeOf(error)
    throw new UserError(
      'configuration',
      `The token in ${file} (METRICS_TOKEN_FILE) cannot be read (${code}). Check the path and who may read it.`,
    )
  })
  const read = metricsToken.safeParse(firstLine(text))
  if (read.success) return read.data
  throw new UserError(
    'configuration',
    `The first line of ${file} (METRICS_TOKEN_FILE) ${read.error.issues[0]?.message}`,
  )
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
