import { isOutage, UserError } from '#db/errors.ts'
import { isOutOfFiles } from '#db/process/errors.ts'
import { logBug, loggedOutOfFiles, logOutage } from '#site/server/log.ts'
import { problemOf, unexpected } from '#site/server/problem.ts'
import { mediaType } from './media-type.ts'

/** The reply to a call, whoever sends it: Astro, or the front server itself. */
export type CallReply = { status: number; headers: Record<string, string>; body: Buffer<ArrayBuffer> }

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** @throws UserError 'unsupported-media-type' or 'invalid' when the body is not JSON. */
export function parseJson(contentType: string | null | undefined, bytes: Uint8Array): unknown {
  if (mediaType(contentType) !== 'application/json') {
    throw new UserError('unsupported-media-type', 'Send JSON, with the header Content-Type: application/json.')
  }
  try {
    // Bytes that are not UTF-8 would be stored as something else than what was typed.
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw new UserError('invalid', 'The body is not JSON. Check it for a missing quote, comma or bracket.')
  }
}

export function jsonReply(output: unknown, status: number, headers: Record<string, string> = {}): CallReply {
  const body = Buffer.from(JSON.stringify(output))
  const own = { 'content-type': 'application/json', 'content-length': String(body.length), 'cache-control': 'no-store' }
  return { status, headers: { ...own, ...headers }, body }
}

/** A person's error as a problem; a bug as a bare 500, logged. */
export function errorReply(error: unknown, route: string): CallReply {
  const { status, headers, body } = problemOf(explain(error, route))
  return { status, headers, body: Buffer.from(JSON.stringify(body)) }
}

function explain(error: unknown, route: string): UserError {
  if (isOutage(error)) logOutage(error)
  if (error instanceof UserError) return error
  if (isOutOfFiles(error)) return loggedOutOfFiles()
  logBug(error, route)
  return unexpected()
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
