import { createHash } from 'node:crypto'
import { logBug } from '#site/server/log.ts'
import type { PreviewContent } from './content.ts'
import { drawingVersion, runDrawing } from './run-drawing.ts'

/** How long a picture that could not be drawn is not tried again. */
const FAILURE_TTL_MS = 10 * 60_000

/** The one that was drawn last. There is only one that can be asked for: that of what the site shows now. */
let kept: { hash: string; drawn: Promise<Buffer | undefined> } | undefined

export function previewHash(content: PreviewContent): string {
  return createHash('sha256')
    .update(JSON.stringify([drawingVersion(), content]))
    .digest('hex')
    .slice(0, 16)
}

/** The address of the picture that shows this. */
export function previewAddress(content: PreviewContent): string {
  return `/preview/${previewHash(content)}.jpg`
}

/** The picture that shows this, as a JPEG, drawn once for all who ask; undefined where it cannot be drawn. */
export function previewPicture(
  content: PreviewContent,
  loadPicture: () => Promise<Uint8Array | undefined>,
): Promise<Buffer | undefined> {
  const hash = previewHash(content)
  if (kept?.hash === hash) return kept.drawn
  // One at a time: each takes memory.
  const drawn = Promise.resolve(kept?.drawn).then(async () => runDrawing(content, await loadPicture()))
  const drawing = { hash, drawn: drawn.catch((error: unknown) => failed(error, hash)) }
  kept = drawing
  return drawing.drawn
}

function failed(error: unknown, hash: string): undefined {
  logBug(error, 'preview picture')
  const retry = () => {
    if (kept?.hash === hash) kept = undefined
  }
  setTimeout(retry, FAILURE_TTL_MS).unref()
}
