const YEAR_S = 365 * 24 * 60 * 60

/** A reply at an address that contains its hash, so it never changes: no browser asks for it again. */
export function unchangingReply(body: string | Uint8Array<ArrayBuffer>, type: string): Response {
  return new Response(body, {
    headers: { 'cache-control': `public, max-age=${YEAR_S}, immutable`, 'content-type': type },
  })
}
