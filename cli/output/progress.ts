import { overridable } from '#db/test-override.ts'
import type { Context } from '../context.ts'
import { isDrawnOn } from './output.ts'

/** How long an operation runs before a progress bar is shown. */
const PROGRESS_DELAY_MS = 300

export type Progress = { report: (done: number) => void; close: () => void }

/** Draws a progress bar on standard error, beside the data, once an operation takes long. */
export function openProgress(title: string, total: number, { quiet, io }: Context): Progress {
  if (quiet || !isDrawnOn(io.stderr, io.env)) return { report: () => {}, close: () => {} }
  let drawn: Progress | undefined
  let closed = false
  const timer = setTimeout(
    async () => {
      const { drawProgress } = await import('../ui/draw-progress.tsx')
      if (!closed) drawn = drawProgress(title, total, io)
    },
    overridable('PROGRESS_DELAY_MS', PROGRESS_DELAY_MS),
  )
  return {
    report: (done) => drawn?.report(done),
    close: () => {
      closed = true
      clearTimeout(timer)
      drawn?.close()
      drawn = undefined
    },
  }
}
