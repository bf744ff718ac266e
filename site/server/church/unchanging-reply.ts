const YEAR_S = 365 * 24 * 60 * 60

/** What is at an address with its hash in it, which never changes. */
export function unchangingReply(
  { headers }: Request,
  body: string | Uint8Array<ArrayBuffer>,
  type: string,
  tag: string,
): Response {
  const kept = { etag: tag, 'cache-control': `public, max-age=${YEAR_S}, immutable` }
  const known = headers.get('if-none-match')?.split(',') ?? []
  // A proxy that compresses makes a weak tag of it.
  const isKnown = known.some((each) => each.trim().replace(/^W\//, '') === tag)
  if (isKnown) return new Response(null, { status: 304, headers: kept })
  return new Response(body, { headers: { ...kept, 'content-type': type } })
}
