const YEAR_S = 365 * 24 * 60 * 60

/** What is at an address with its hash in it, which never changes. */
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

/** Whether the client has what has this tag (RFC 9110, section 13.1.2). A proxy that compresses makes a weak one of it. */
export function isKnown(ifNoneMatch: string | null | undefined, tag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((each) => each.trim()) ?? []
  return tags.some((each) => each === '*' || weak(each) === weak(tag))
}

function weak(tag: string): string {
  return tag.replace(/^W\//, '')
}
