import type { IncomingMessage } from 'node:http'

/** Bytes. The default limit of nginx. */
const DISCARDED_MAXIMUM = 1024 * 1024
const DISCARD_TIMEOUT_MS = 2000

/**
 * Reads the rest of a refused body and discards it. Closing a connection while the client still sends resets it, and the
 * reply is lost: a proxy would send 502 instead.
 */
export async function discardBody(request: IncomingMessage): Promise<void> {
  if (request.complete || Number(request.headers['content-length'] ?? 0) > DISCARDED_MAXIMUM) return
  await new Promise<void>((resolve) => {
    let discarded = 0
    const timeout = setTimeout(resolve, DISCARD_TIMEOUT_MS)
    function end() {
      clearTimeout(timeout)
      resolve()
    }
    request.once('end', end).once('close', end)
    request.on('data', ({ length }: Buffer) => {
      discarded += length
      if (discarded > DISCARDED_MAXIMUM) end()
    })
  })
}
