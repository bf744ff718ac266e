import { randomUUID } from 'node:crypto'
import { millisecondsInMinute } from 'date-fns/constants'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Language } from '#db/values/languages.ts'
import type { Mode } from '#site/server/access/site-state.ts'
import { renderAddress } from '#site/server/front/astro.ts'
import { FORM_MARK, formMarkFields } from './form-mark.ts'
import { type Encoding, sharedBody } from './shared-body.ts'
import { shareValue } from './shared-value.ts'

/** A reply that is the same for all visitors, except for the mark of its form. */
type KeptPage = Awaited<ReturnType<typeof renderPage>>
/** What a page depends on besides the data. `origin` is the address under which the site is reached. */
type Variant = { language: Language; origin: string }
/** `headers` are those of every reply. */
type Site = { mode: Mode; headers: () => Record<string, string>; sendsMail: boolean }
type Locals = Parameters<typeof renderAddress>[1] & Partial<Pick<App.Locals, 'call'>>

/** Pages that are the same for all visitors in one language. All others are rendered for each request. */
const KEPT = ['/', '/share', '/privacy', '/calendar.ics', '/api/event', '/api/features', '/api/volunteer-roles']
/** Without PUBLIC_URL, pages contain the host of the request, which clients can invent. */
const PAGES_MAXIMUM = 200
/** In bytes, as for @fastify/compress, which compresses all other replies. */
const COMPRESSED_MINIMUM = 1024
const ENCODINGS: Encoding[] = ['br', 'gzip']

/**
 * Keeps public pages in memory while their data stays the same. Only for visitors of a guarded site: in open mode
 * everyone is an administrator.
 * @param changes returns another value after every write; undefined while unknown.
 * @returns a function that finds or renders the page of a request; undefined for a page that is not kept.
 */
export function keepPages(site: Site, changes: () => string | undefined) {
  /** Most recently requested last. */
  const pages = new Map<string, ReturnType<typeof shareValue<KeptPage>>>()

  /** The version of what pages show: the data, and the current minute. */
  function versionNow(): string | undefined {
    const stored = changes()
    return stored && `${stored} ${Math.floor(Date.now() / millisecondsInMinute)}`
  }

  function pageAt(path: string, variant: Variant) {
    const key = `${variant.origin} ${path} ${variant.language}`
    const page = pages.get(key) ?? shareValue(() => renderPage(path, variant, site), versionNow)
    pages.delete(key)
    pages.set(key, page)
    const [leastRecent = ''] = pages.keys()
    if (pages.size > PAGES_MAXIMUM) pages.delete(leastRecent)
    return page
  }

  return ({ method, url = '', headers }: FastifyRequest['raw'], variant: Variant) => {
    if (!KEPT.includes(url) || (method !== 'GET' && method !== 'HEAD')) return undefined
    if (!site.mode.isKnownGuarded() || headers.cookie?.includes('rsvp-session')) return undefined
    return pageAt(url, variant).get()
  }
}

/** Bypasses Fastify, which joins and inspects the body, at half as many pages per second. */
export async function sendPage(page: KeptPage, { headers }: FastifyRequest, reply: FastifyReply) {
  const encoding = page.body.length < COMPRESSED_MINIMUM ? 'identity' : encodingFor(headers)
  const body = await page.body.endingWith(page.endForVisitor(), encoding)
  const length = String(body.reduce((sum, piece) => sum + piece.length, 0))
  const encoded = encoding !== 'identity' && { 'content-encoding': encoding }
  const { raw } = reply.hijack()
  raw.writeHead(page.status, { ...page.headers, ...encoded, 'content-length': length })
  for (const piece of body) raw.write(piece)
  raw.end()
  return reply
}

/** Renders a page for a visitor without cookies. */
async function renderPage(path: string, { language, origin }: Variant, { mode, headers, sendsMail }: Site) {
  // hasTurn: each page is rendered only once at a time. Rendering adds the caller.
  const locals: Locals = { mode, origin, language, network: 'unknown', allowance: undefined, sendsMail, hasTurn: true }
  const response = await renderAddress(new URL(path, origin), locals)
  if (response.headers.getSetCookie().length > 0) throw new Error('A page for all visitors sets a cookie.')
  if (locals.call?.actor !== 'visitor') throw new Error('A page for all visitors was made for one of them.')
  const { status } = response
  const { 'content-length': _, ...own } = Object.fromEntries(response.headers)
  const isPage = own['content-type']?.startsWith('text/html') === true
  const { shared, endForVisitor } = splitAtMark(Buffer.from(await response.arrayBuffer()), isPage)
  return {
    /** False if the database could not be read. */
    isComplete: status === 200,
    status,
    headers: { ...headers(), ...own, vary: isPage ? 'accept-encoding, accept-language, cookie' : 'accept-encoding' },
    body: sharedBody(shared),
    endForVisitor,
  }
}

/** Splits the body where the mark of its form begins. Each visitor gets another mark. */
function splitAtMark(body: Buffer, isPage: boolean) {
  const start = isPage ? body.lastIndexOf(FORM_MARK) : -1
  if (start === -1) return { shared: body, endForVisitor: () => Buffer.alloc(0) }
  const rest = body.toString('utf8', start).replace(/^(<input [^>]*>)+/, '')
  const endForVisitor = () => Buffer.from(formMarkFields(randomUUID(), Date.now()) + rest)
  return { shared: body.subarray(0, start), endForVisitor }
}

function encodingFor(headers: FastifyRequest['headers']): Encoding {
  const accepted = headers['accept-encoding']?.toLowerCase() ?? ''
  const refused = new Set(Array.from(accepted.matchAll(/(\w+)\s*;\s*q=0(\.0*)?\s*(?=,|$)/g), ([, name]) => name))
  return ENCODINGS.find((name) => accepted.includes(name) && !refused.has(name)) ?? 'identity'
}
