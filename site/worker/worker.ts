import { sendKeptRsvps } from '#site/lib/outbox.ts'

// The service worker of visitors. It shows the last copy of the invitation if the page cannot be loaded, and sends RSVPs
// that were submitted offline. It handles no other pages, no calls, and nothing of administrators.
declare const self: {
  oninstall: (event: LastingEvent) => void
  onactivate: (event: LastingEvent) => void
  onfetch: (event: FetchEvent) => void
  onsync: (event: LastingEvent) => void
  skipWaiting: () => void
  clients: { claim: () => Promise<void> }
}
// TypeScript's own types of workers would replace the types of pages everywhere.
type LastingEvent = { waitUntil: (work: Promise<unknown>) => void }
type FetchEvent = LastingEvent & { request: Request; respondWith: (response: Promise<Response>) => void }

const SHARE = '/share'
/** The cache with the last copy of the invitation, and all files that the copy needs. */
const COPY = 'rsvp-page'
/** The header with the time of the copy. */
const COPIED_AT = 'x-copied-at'

self.oninstall = (event) => {
  self.skipWaiting()
  event.waitUntil(fetch(SHARE).then(keepCopy))
}

self.onactivate = (event) => {
  event.waitUntil(self.clients.claim())
}

self.onfetch = (event) => {
  const { pathname, searchParams, origin } = new URL(event.request.url)
  if (event.request.method !== 'GET' || origin !== location.origin) return
  if (event.request.mode === 'navigate') {
    // Also a link with characters that chat programs append. Neither older pages of the list nor a thank-you.
    const isInvitation = /^\/+(share(\W.*)?)?$/i.test(pathname)
    if (isInvitation && !searchParams.has('before') && !searchParams.has('thanks'))
      event.respondWith(loadPage(event, pathname))
  } else if (isPartOfCopy(pathname)) {
    event.respondWith(caches.match(event.request).then((kept) => kept ?? fetch(event.request)))
  }
}

self.onsync = (event) => {
  event.waitUntil(sendKeptRsvps())
}

/** Loads the page, or else the copy, which may be out of date. */
async function loadPage(event: FetchEvent, pathname: string): Promise<Response> {
  const page = await fetch(event.request).catch(() => undefined)
  // Proxies reply with 502 or 504 if the site is down.
  const isDown = page === undefined || page.status === 502 || page.status === 504
  const copy = isDown ? await readCopy() : undefined
  if (copy !== undefined) return copy
  if (page?.ok && pathname === SHARE) event.waitUntil(keepCopy(page.clone()))
  return page ?? Response.error()
}

/** Whether an address is part of the copy. The content of such an address never changes. */
function isPartOfCopy(pathname: string): boolean {
  return /^\/(assets|church)\//.test(pathname) || pathname === '/favicon.svg'
}

/** Replaces the last copy once all parts are loaded, because a copy without its scripts is useless. */
async function keepCopy(page: Response): Promise<void> {
  if (!page.ok) return
  const html = await page.text()
  const headers = new Headers(page.headers)
  // The copy is not compressed.
  for (const name of ['content-encoding', 'content-length', 'etag']) headers.delete(name)
  headers.set(COPIED_AT, new Date().toISOString())
  const copy = await caches.open(COPY)
  const parts = await addParts(copy, new Set(), addressesIn(html, page.url))
  await copy.put(SHARE, new Response(html, { headers }))
  for (const { url } of await copy.keys()) if (!parts.has(url) && !url.endsWith(SHARE)) await copy.delete(url)
}

/** The copy, with a note that says how old it is; undefined if there is none. */
async function readCopy(): Promise<Response | undefined> {
  const kept = await caches.match(SHARE)
  if (kept === undefined) return undefined
  const html = await kept.text()
  // The page has the sentence of the note, as HTML and in its language.
  const [, language = 'en'] = /<html lang="(\w+)"/.exec(html) ?? []
  const [, sentence = ''] = /<meta name="offline-note" content="([^"]*)"/.exec(html) ?? []
  const written = new Date(kept.headers.get(COPIED_AT) ?? '')
  const moment = written.toLocaleString(`${language}-u-nu-latn`, { dateStyle: 'full', timeStyle: 'short' })
  const note = `<p class="banner" id="offline-note" role="status">${sentence.replace('{moment}', moment)}</p>`
  return new Response(
    html.replace('<div id="root">', () => `${note}<div id="root">`),
    { headers: kept.headers },
  )
}

/** Adds missing parts, and the parts that they need in turn. @returns the addresses of all parts. */
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

/** The addresses in a page, script or style sheet, relative or from the root. */
function addressesIn(text: string, base: string): string[] {
  const names = text.matchAll(/["'`(\s]((\.\/|\/(assets|church)\/|\/favicon)[\w./-]+\.(js|css|woff2|svg|jpg))/g)
  const addresses = Array.from(names, ([, name = '']) => new URL(name, base))
  return addresses.filter(({ pathname }) => isPartOfCopy(pathname)).map(({ href }) => href)
}
