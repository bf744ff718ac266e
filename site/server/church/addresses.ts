import { createHash } from 'node:crypto'

/** Of one size of the picture. What is there never changes. */
export function pictureAddress(hash: string, width: number): string {
  return `/church/picture/${hash}-${width}.jpg`
}

/** Of the styles of an accent. They differ by the accent, and by the version of the site that computes them. */
export function accentAddress(accent: string, styles: string): string {
  return `/church/${accent.slice(1)}-${hashOf(styles)}.css`
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
