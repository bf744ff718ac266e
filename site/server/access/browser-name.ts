/** In this order: most browsers also name the one before whose pages they must not break. */
const browsers = [
  ['Edge', /Edg(e|A|iOS)?\//],
  ['Opera', /OPR\/|Opera/],
  ['Samsung Internet', /SamsungBrowser\//],
  ['Firefox', /Firefox\/|FxiOS\//],
  ['Chrome', /Chrome\/|CriOS\//],
  ['Safari', /Safari\//],
] as const
const systems = [
  ['Android', /Android/],
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Windows', /Windows/],
  ['ChromeOS', /CrOS/],
  ['Mac', /Mac OS X/],
  ['Linux', /Linux/],
] as const

/** The browser and its system as people know them, e.g. `Firefox, Android`; empty for a program. */
export function browserName(userAgent: string): string {
  const named = [browsers, systems].flatMap((known) => known.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? [])
  return named.join(', ')
}
