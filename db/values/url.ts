/** Undefined if the text is no URL. `URL.canParse` and `URL.parse` are too new for the browsers of many visitors. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** Whether a host name means this computer and no other, e.g. `localhost`. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[?::1\]?)$/.test(hostname)
}

/** Whether only this computer or its network has this host name, e.g. `192.168.1.5` or `church.local`. */
export function isPrivate(hostname: string): boolean {
  return isLoopback(hostname) || /^(10|172\.(1[6-9]|2\d|3[01])|192\.168)\.[\d.]+$|\.local$|^[^.:]+$/.test(hostname)
}

export const notMapLink = 'A map link begins with https://. Copy it from the map, e.g. with its Share button.'

/**
 * Whether this is a web address. Blanks, which URL parsers partly ignore, are refused, as are other schemes that a browser
 * would follow, e.g. a script.
 */
export function isMapLink(text: string): boolean {
  return /^https?:\/\/[^\s/]\S*$/i.test(text.trim()) && parseUrl(text) !== undefined
}
