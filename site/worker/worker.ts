import { type Language, localeOf } from '#db/language/languages.ts'
import { sendKeptRsvps } from '#site/lib/outbox.ts'

// The service worker of visitors. It shows the page of the invitation as it was when it cannot be loaded, and sends RSVPs
// that were submitted offline. It touches nothing else: no other page, no call, nothing of administrators.
declare const self: {
  oninstall: (event: LastingEvent) => void
  onactivate: (event: LastingEvent) => void
  onfetch: (event: FetchEvent) => void
  onsync: (event: LastingEvent) => void
  skipWaiting: () => void
  clients: { claim: () => Promise<void> }
}
// TypeScript's own types of workers would replace those of pages everywhere.
type LastingEvent = { waitUntil: (work: Promise<unknown>) => void }
type FetchEvent = LastingEvent & { request: Request; respondWith: (response: Promise<Response>) => void }

const SHARE = '/share'
/** The last copy of the page of the invitation, with all that it needs to run. */
const COPY = 'rsvp-page'
const WRITTEN = 'x-copied-at'
/** What the copy stands in for, also right after a language was chosen. */
const HAS_COPY = /^\/(share)?(\?language=\w+)?$/

self.oninstall = (event) => {
  self.skipWaiting()
  event.waitUntil(fetch(SHARE).then((page) => keepCopy(page, SHARE)))
}

self.onactivate = (event) => {
  event.waitUntil(self.clients.claim())
}

self.onfetch = (event) => {
  const { pathname, search, origin } = new URL(event.request.url)
  if (event.request.method !== 'GET' || origin !== location.origin) return
  if (event.request.mode === 'navigate') {
    if (HAS_COPY.test(pathname + search)) event.respondWith(loadPage(event, pathname))
  } else if (isPartOfCopy(pathname)) {
    event.respondWith(caches.match(event.request).then((kept) => kept ?? fetch(event.request)))
  }
}

self.onsync = (event) => {
  event.waitUntil(sendKeptRsvps())
}

/** The page itself wherever it can be loaded: it says what holds now. */
async function loadPage(event: FetchEvent, pathname: string): Promise<Response> {
  const page = await fetch(event.request).catch(() => undefined)
  // A proxy says so when the site behind it is away.
  const isAway = page === undefined || page.status === 502 || page.status === 504
  const copy = isAway ? await readCopy(SHARE) : undefined
  if (copy !== undefined) return pathname === SHARE ? copy : Response.redirect(SHARE)
  if (page?.ok && pathname === SHARE) event.waitUntil(keepCopy(page.clone(), SHARE))
  return page ?? Response.error()
}

/** Addresses whose content never changes; of these a page is made. */
function isPartOfCopy(pathname: string): boolean {
  return /^\/(assets|church)\//.test(pathname) || pathname === '/favicon.svg'
}

/**
 * Keeps this page instead of the one before, for an address that may be another one than its own, which names a language.
 * All of it, or nothing: a copy without its scripts would be of no use.
 */
async function keepCopy(page: Response, path: string): Promise<void> {
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
async function readCopy(address: string): Promise<Response | undefined> {
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
