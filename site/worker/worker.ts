import { sendKeptRsvps } from '#site/lib/outbox.ts'
import { isPartOfCopy, keepCopy, readCopy } from './page-copy.ts'

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
