import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildFolder } from '#site/server/front/build.ts'
import type { PreviewContent } from './content.ts'

/** What the program reads; `picture` is a JPEG in base64. */
export type Drawing = { content: PreviewContent; picture: string | undefined; fonts: string }

/** What a slow computer that is busy draws in a few seconds. */
const TIMEOUT_MS = 30_000
const OUTPUT_MAXIMUM = 1024 * 1024

/** Put there by scripts/build/programs.mjs. */
const program = join(buildFolder, 'server', 'preview.mjs')

let version: string | undefined

/** Differs once the site draws otherwise, so that the picture then has another address. */
export function drawingVersion(): string {
  version ??= createHash('sha256').update(readFileSync(program)).digest('hex')
  return version
}

/**
 * Draws the picture, as a JPEG, in a process of its own: it takes the time of hundreds of replies and as much memory as the
 * site. It knows no setting of the site.
 */
export function runDrawing(content: PreviewContent, picture: Uint8Array | undefined): Promise<Buffer> {
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
