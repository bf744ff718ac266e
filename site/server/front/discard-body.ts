import type { IncomingMessage } from 'node:http'

/** What nginx lets through by default, in bytes. */
const DISCARDED_MAXIMUM = 1024 * 1024
/** In ms. */
const DISCARDING_TIMEOUT = 2000

/**
 * Reads what is left of a body that is refused, and forgets it. A connection that is closed while the client still sends
 * is reset, and the reply with it: a proxy would answer 502 in its place.
 */
export async function discardBody(request: IncomingMessage): Promise<void> {
  if (request.complete || Number(request.headers['content-length'] ?? 0) > DISCARDED_MAXIMUM) return
  await new Promise<void>((resolve) => {
    let discarded = 0
    const timeout = setTimeout(resolve, DISCARDING_TIMEOUT)
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
