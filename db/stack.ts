/**
 * Where an error happened, without its message, which can quote what somebody typed: the message stands at the head
 * of a stack and may have lines of its own that look like places.
 */
export function placesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const { stack = '', message } = error
  const places = stack.slice(Math.max(0, stack.indexOf(message)) + message.length)
  return places
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim())
}
