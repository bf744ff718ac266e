/** The code that the system or a driver gave an error, e.g. `ENOSPC`. */
export function errorCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}

/**
 * The stack frames of an error without its message, which can contain personal data. The message comes first in a stack
 * and may itself have lines that look like frames.
 */
export function stackFramesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const { stack = '', message } = error
  const frames = stack.slice(Math.max(0, stack.indexOf(message)) + message.length)
  return frames
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim())
}
