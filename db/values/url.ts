/** Undefined if it is none. `URL.canParse` and `URL.parse` are newer than the browsers of many visitors. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
