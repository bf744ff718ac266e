// Encodings of text, by their names in the Encoding Standard, e.g. `windows-1252`.

export function isEncoding(name: string): boolean {
  try {
    return new TextDecoder(name) !== undefined
  } catch {
    return false
  }
}

/** Whether the text is UTF-8, or says that it is UTF-16. */
export function isUnicode(text: Uint8Array): boolean {
  try {
    return new TextDecoder(unicodeOf(text), { fatal: true }).decode(text) !== undefined
  } catch {
    return false
  }
}

/** The kind of Unicode that the first bytes say; UTF-8 if they say nothing. */
export function unicodeOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}
