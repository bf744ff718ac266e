import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildFolder } from '#site/server/front/build.ts'
import { logBug } from '#site/server/log.ts'
import type { PreviewContent } from './content.ts'

/** What the program reads; `picture` is a JPEG in base64. */
export type Drawing = { content: PreviewContent; picture: string | undefined; fonts: string }

/** What a slow computer that is busy draws in a few seconds. */
const TIMEOUT_MS = 30_000
const OUTPUT_MAXIMUM = 1024 * 1024

/** Put there by scripts/build/programs.mjs. */
const program = join(buildFolder, 'server', 'preview.mjs')

/** How long a picture that could not be drawn is not tried again. */
const FAILURE_TTL_MS = 10 * 60_000

let version: string | undefined
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

/** Differs once the site draws otherwise, so that the picture then has another address. */
function drawingVersion(): string {
  version ??= createHash('sha256').update(readFileSync(program)).digest('hex')
  return version
}

/**
 * Draws the picture, as a JPEG, in a process of its own: it takes the time of hundreds of replies and as much memory as the
 * site. It knows no setting of the site.
 */
function runDrawing(content: PreviewContent, picture: Uint8Array | undefined): Promise<Buffer> {
  const fonts = join(buildFolder, 'client', 'fonts')
  const drawing: Drawing = { content, picture: picture && Buffer.from(picture).toString('base64'), fonts }
  return new Promise((resolve, reject) => {
    const options = { encoding: 'buffer', timeout: TIMEOUT_MS, maxBuffer: OUTPUT_MAXIMUM, env: {} } as const
    const child = execFile(process.execPath, [program], options, (error, output) =>
      error === null ? resolve(output) : reject(error),
    )
    // Where it ends early, its failure is the one to report.
    child.stdin?.on('error', () => {}).end(JSON.stringify(drawing))
  })
}
