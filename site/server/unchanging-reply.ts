const YEAR_S = 365 * 24 * 60 * 60

/** A reply at an address that contains its hash, so it never changes. */
export function unchangingReply(
  { headers }: Request,
  body: string | Uint8Array<ArrayBuffer>,
  type: string,
  tag: string,
): Response {
  const kept = { etag: tag, 'cache-control': `public, max-age=${YEAR_S}, immutable` }
  // One of several tags, or a weak one, as proxies that compress make them.
  if (headers.get('if-none-match')?.includes(tag)) return new Response(null, { status: 304, headers: kept })
  return new Response(body, { headers: { ...kept, 'content-type': type } })
}
