const YEAR_S = 365 * 24 * 60 * 60

/** A reply at an address that contains its hash, so it never changes. */
export function unchangingReply(
  { headers }: Request,
  body: string | Uint8Array<ArrayBuffer>,
  type: string,
  tag: string,
): Response {
  const kept = { etag: tag, 'cache-control': `public, max-age=${YEAR_S}, immutable` }
  if (isKnown(headers.get('if-none-match'), tag)) return new Response(null, { status: 304, headers: kept })
  return new Response(body, { headers: { ...kept, 'content-type': type } })
}

/** Whether If-None-Match names the tag (RFC 9110, section 13.1.2). Proxies that compress make tags weak. */
function isKnown(ifNoneMatch: string | null | undefined, tag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((each) => each.trim()) ?? []
  return tags.some((each) => each === '*' || weak(each) === weak(tag))
}

function weak(tag: string): string {
  return tag.replace(/^W\//, '')
}
