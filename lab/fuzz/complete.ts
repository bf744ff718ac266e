/**
 * Whether a message (latin1) holds everything that a server needs to reply: an empty line after the headers, and the body
 * that they announce. False where that is not certain: the client then ends the message.
 */
export function isComplete(message: string): boolean {
  const text = message.replace(/^[\r\n]+/, '')
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return false
  const [, ...lines] = text.slice(0, end).split('\r\n')
  const body = text.slice(end + 4)
  const lengths = valuesOf(lines, 'content-length')
  const encodings = valuesOf(lines, 'transfer-encoding')
  if (encodings.length > 0) return encodings.join() === 'chunked' && endsInChunks(body)
  if (lengths.length === 0) return true
  return lengths.length === 1 && /^\d+$/.test(lengths[0] ?? '') && body.length >= Number(lengths[0])
}

function valuesOf(lines: string[], name: string): string[] {
  return lines
    .filter((line) => line.slice(0, name.length + 1).toLowerCase() === `${name}:`)
    .map((line) => line.slice(name.length + 1).trim())
}

function endsInChunks(body: string): boolean {
  const [line, digits] = /^([\da-f]{1,8})\r\n/i.exec(body) ?? []
  if (line === undefined) return false
  const size = Number.parseInt(digits ?? '', 16)
  const rest = body.slice(line.length)
  return size === 0 ? rest.startsWith('\r\n') : endsInChunks(rest.slice(size + 2))
}
