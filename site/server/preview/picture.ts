import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { logBug } from '#site/server/log.ts'
import { buildFolder, programFile, runProgram } from '#site/server/program.ts'
import type { PreviewContent } from './content.ts'

/** The input of the program; `picture` is a JPEG in base64. */
export type Drawing = { content: PreviewContent; picture: string | undefined; fonts: string }

/** Delay before a failed drawing is tried again. */
const FAILURE_TTL_MS = 10 * 60_000

let version: string | undefined
/** The last drawing. Only one can be requested: that of the current content. */
let kept: { hash: string; drawn: Promise<Buffer | undefined> } | undefined

/** Also changes with the drawing code, so that the picture gets a new address. */
export function previewHash(content: PreviewContent): string {
  version ??= hashOf(readFileSync(programFile('preview')))
  return hashOf(JSON.stringify([version, content])).slice(0, 16)
}

export function previewAddress(content: PreviewContent): string {
  return `/preview/${previewHash(content)}.jpg`
}

/** The picture as a JPEG, drawn once for all requests; undefined if it cannot be drawn. */
export function previewPicture(
  content: PreviewContent,
  loadPicture: () => Promise<Uint8Array | undefined>,
): Promise<Buffer | undefined> {
  const hash = previewHash(content)
  if (kept?.hash === hash) return kept.drawn
  // One at a time: each takes memory.
  const drawn = Promise.resolve(kept?.drawn).then(async () => {
    const picture = await loadPicture()
    const fonts = join(buildFolder, 'client', 'fonts')
    const drawing: Drawing = { content, picture: picture && Buffer.from(picture).toString('base64'), fonts }
    return runProgram('preview', JSON.stringify(drawing))
  })
  kept = { hash, drawn: drawn.catch((error: unknown) => failed(error, hash)) }
  return kept.drawn
}

function failed(error: unknown, hash: string): undefined {
  logBug(error, 'preview picture')
  const retry = () => {
    if (kept?.hash === hash) kept = undefined
  }
  setTimeout(retry, FAILURE_TTL_MS).unref()
}

function hashOf(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
