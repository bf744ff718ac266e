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
export async function givenMetricsToken(
  config: Pick<Config, 'metricsToken' | 'metricsTokenFile'>,
): Promise<string | undefined> {
  const file = config.metricsTokenFile
  if (file === undefined || file === '') return config.metricsToken
  if (config.metricsToken !== undefined) throw refused('Give METRICS_TOKEN or METRICS_TOKEN_FILE, not both.')
  const text = await readFile(file, 'utf8').catch((error) => {
    const why = `cannot be read (${errorCodeOf(error)}). Check the path and who may read it.`
    throw refused(`The token in ${file} (METRICS_TOKEN_FILE) ${why}`)
  })
  const { data, error } = metricsToken.safeParse(firstLine(text))
  if (error) throw refused(`The first line of ${file} (METRICS_TOKEN_FILE) ${error.issues[0]?.message}`)
  return data
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

function refused(reason: string): UserError {
  return new UserError('configuration', reason)
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function isLoopbackPeer({ socket: { remoteAddress = '' } }: Request): boolean {
  return ipaddr.isValid(remoteAddress) && ipaddr.process(remoteAddress).range() === 'loopback'
}
