import { createHash } from 'node:crypto'

/** Of the styles of an accent. They differ by the accent, and by the version of the site that computes them. */
export function accentAddress(accent: string, styles: string): string {
  return `/church/${accent.slice(1)}-${hashOf(styles)}.css`
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
