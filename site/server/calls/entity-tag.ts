/** The entity tag of a revision: `"12"`. */
export function entityTag(revision: number): string {
  return `"${revision}"`
}

/**
 * The revisions that an If-Match names; none where it names nothing of ours, so that nothing matches. A proxy that
 * compresses makes `W/"12"` (nginx) or `"12-gzip"` (Caddy, Apache) of a tag: it is the same revision.
 */
export function revisionsIn(ifMatch: string | null): number[] | 'any' | undefined {
  if (ifMatch === null) return undefined
  if (ifMatch.trim() === '*') return 'any'
  return Array.from(ifMatch.matchAll(/"(\d{1,15})(?:-\w+)?"/g), ([, revision]) => Number(revision))
}
