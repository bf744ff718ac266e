/** What is written where a slash was: another layer may read it as one, or as none. */
const SLASHES = [
  '//',
  '/./',
  '/%2e/',
  '/x/../',
  '/x/%2e%2e/',
  '/x/..;/',
  '\\',
  '/\\',
  '%5c',
  '%2f',
  '%252f',
  '%c0%af',
  '/%00/',
]
const ENDS = [
  ...['/', '//', '/.', '/..', '/%2e', '%2f', '%5c', '.', '..', '%2e', '.html', '.json', '/index.html', '*', '~'],
  ...['%20', '%09', '%0a', '%0d%0ax:%20y', '%00', '%2500', '%00.svg', ';', ';x=1', '%3b', '#', '#x', '%23x'],
  ...['?', '??', '?x=/admin', '?/admin', '?%ff', '%3f', '%3fx'],
]
/** Letters that look like an a, or like nothing at all: full width, Cyrillic, a soft hyphen, a blank without width. */
const LOOK_ALIKES = ['%ef%bd%81', '%d0%b0', '%c2%ada', '%e2%80%8ba', '%c1%a1', '%u0061']

/** Ways to write an address that hide it or make it look like another one. */
export function disguisesOf(path: string, host: string): string[] {
  const letter = /[a-z\d]/.exec(path)?.[0] ?? '/'
  return Array.from(
    new Set([
      ...SLASHES.flatMap((written) => atEachSlash(path, written)),
      ...ENDS.map((end) => path + end),
      ...LOOK_ALIKES.map((alike) => path.replace('a', alike)),
      ...[1, 2, 3].map((times) => path.replace(letter, encoded(letter, times))),
      ...[1, 2].map((times) => path.replace(/[a-z\d]/g, (each) => encoded(each, times))),
      path.toUpperCase(),
      path.replace(letter, letter.toUpperCase()),
      ...[host, 'evil.example', `${host}@evil.example`].map((name) => `http://${name}${path}`),
      `//evil.example${path}`,
      ...['/share', '/favicon.svg', '/assets', '/api'].flatMap((shown) =>
        ['/..', '/%2e%2e', '/..;', '%2f..', '\\..', '?x=', '#'].map((way) => shown + way + path),
      ),
    ]),
  )
}

/** As in `/%61dmin`, `/%2561dmin` and `/%252561dmin`. */
function encoded(letter: string, times: number): string {
  return `%${'25'.repeat(times - 1)}${letter.charCodeAt(0).toString(16)}`
}

function atEachSlash(path: string, written: string): string[] {
  return Array.from(path.matchAll(/\//g), ({ index }) => path.slice(0, index) + written + path.slice(index + 1))
}
