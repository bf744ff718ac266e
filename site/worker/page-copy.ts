import { type Language, localeOf } from '#db/language/languages.ts'

/** The last copy of the page of the invitation, with all that it needs to run. */
const COPY = 'rsvp-page'
const WRITTEN = 'x-copied-at'

/** Addresses whose content never changes; of these a page is made. */
export function isPartOfCopy(pathname: string): boolean {
  return /^\/(assets|church)\//.test(pathname) || pathname === '/favicon.svg'
}

/**
 * Keeps this page instead of the one before, for an address that may be another one than its own, which names a language.
 * All of it, or nothing: a copy without its scripts would be of no use.
 */
export async function keepCopy(page: Response, path: string): Promise<void> {
  if (!page.ok) return
  const html = await page.text()
  const headers = new Headers(page.headers)
  // The text is kept as it was before it was compressed.
  for (const name of ['content-encoding', 'content-length', 'etag']) headers.delete(name)
  headers.set(WRITTEN, new Date().toISOString())
  const copy = await caches.open(COPY)
  const parts = await addParts(copy, new Set(), addressesIn(html, page.url))
  const address = new URL(path, location.origin).href
  await copy.put(address, new Response(html, { headers }))
  for (const { url } of await copy.keys()) if (url !== address && !parts.has(url)) await copy.delete(url)
}

/** The copy, which says that it is one and how old; undefined where there is none. */
export async function readCopy(address: string): Promise<Response | undefined> {
  const kept = await caches.match(new URL(address, location.origin))
  if (kept === undefined) return undefined
  const written = new Date(kept.headers.get(WRITTEN) ?? '')
  const html = await kept.text()
  const note = `<p class="banner" role="status">${offlineNote(html, written)}</p>`
  return new Response(
    html.replace('<div id="root">', () => `${note}<div id="root">`),
    { headers: kept.headers },
  )
}

/** In the language of the page, which carries the sentence as HTML. */
function offlineNote(html: string, written: Date): string {
  const [, language = 'en'] = /<html lang="(\w+)"/.exec(html) ?? []
  const [, text = ''] = /<meta name="offline-note" content="([^"]*)"/.exec(html) ?? []
  const moment = written.toLocaleString(localeOf(language as Language), { dateStyle: 'full', timeStyle: 'short' })
  return text.replace('{moment}', moment)
}

/** Adds what is missing, and what that needs in turn. @returns the addresses of all of it. */
async function addParts(copy: Cache, known: Set<string>, addresses: string[]): Promise<Set<string>> {
  for (const address of addresses) {
    if (known.has(address)) continue
    known.add(address)
    const part = (await copy.match(address)) ?? (await load(copy, address))
    if (/\.(js|css)$/.test(address)) await addParts(copy, known, addressesIn(await part.text(), address))
  }
  return known
}

async function load(copy: Cache, address: string): Promise<Response> {
  const part = await fetch(address)
  if (!part.ok) throw new Error(`${address} replied ${part.status}.`)
  await copy.put(address, part.clone())
  return part
}

/** What a page, a script or a style sheet names: relative addresses, and those from the root. */
function addressesIn(text: string, base: string): string[] {
  const names = text.match(/(?<=["'`(\s])(\.\/|\/(assets|church)\/|\/favicon)[\w./-]+\.(js|css|woff2|svg|jpg)/g) ?? []
  return names.map((name) => new URL(name, base).href).filter((address) => isPartOfCopy(new URL(address).pathname))
}
