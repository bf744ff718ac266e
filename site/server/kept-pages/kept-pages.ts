import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { negotiate } from '@fastify/accept-negotiator'
import { millisecondsInMinute } from 'date-fns/constants'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Language } from '#db/language/languages.ts'
import type { Mode } from '#site/server/access/mode.ts'
import { renderAddress } from '#site/server/front/astro.ts'
import { LANGUAGE_QUERY } from '#site/server/language.ts'
import { isKnown } from '#site/server/unchanging-reply.ts'
import { formMarkFields } from './form-mark.ts'
import { type Encoding, sharedBody } from './shared-body.ts'
import { openShelf, type Shelf } from './shelf.ts'

/** A reply that is the same for every visitor, except for the mark of its form. */
type KeptPage = Awaited<ReturnType<typeof renderPage>>
/** All that a kept page depends on besides the data; `origin` is the address under which the site is reached. */
type Known = { language: Language; origin: string }
/** `headers` are those of every reply. */
type Site = { mode: Mode; headers: () => Record<string, string> }
/** Rendering adds the caller and the mark of the form. */
type Locals = Parameters<typeof renderAddress>[1] & Partial<Pick<App.Locals, 'call' | 'formMark'>>

/** The same for all visitors with one language. Everything else is rendered for each request. */
const KEPT_PAGES = new Set(['/', '/share', '/privacy', '/calendar.ics'])
const KEPT_CALLS = new Set(['/api/event', '/api/features', '/api/volunteer-roles'])
/** Query parameters that change a page. Others do not, e.g. those that social networks append to links. */
const READ_FROM_QUERY = ['before', 'thanks', 'date', 'to', LANGUAGE_QUERY]
/** Without PUBLIC_URL pages contain the name of the site in the request, which clients can invent. */
const PAGES_MAXIMUM = 200
/** In bytes, as for @fastify/compress, which compresses all other replies. */
const COMPRESSED_MINIMUM = 1024
const ENCODINGS: Encoding[] = ['br', 'gzip']

/**
 * Keeps public pages in memory while the data they show stays the same. Only for visitors of a guarded site: in open
 * mode everyone is an administrator.
 * @param changes returns another value after every write; undefined while unknown.
 * @returns a function that finds or renders the page of a request; undefined if it must be rendered for this request
 * alone. `route` is the pattern of its address, for the log.
 */
export function keepPages(site: Site, changes: () => string | undefined) {
  /** Most recently requested last. */
  const shelves = new Map<string, Shelf<KeptPage>>()

  /** The version of what pages show: the data, and the current minute. */
  function versionNow(): string | undefined {
    const stored = changes()
    return stored && `${stored} ${Math.floor(Date.now() / millisecondsInMinute)}`
  }

  function shelfOf(path: string, known: Known): Shelf<KeptPage> {
    const key = `${known.origin} ${path} ${known.language}`
    const shelf = shelves.get(key) ?? openShelf(() => renderPage(path, known, site), versionNow)
    shelves.delete(key)
    shelves.set(key, shelf)
    const [unused = ''] = shelves.keys()
    if (shelves.size > PAGES_MAXIMUM) shelves.delete(unused)
    return shelf
  }

  return (
    { method, url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
    known: Known,
  ): { route: string; page: Promise<KeptPage> } | undefined => {
    const path = keptPath(url)
    if (path === undefined || (method !== 'GET' && method !== 'HEAD')) return undefined
    if (!site.mode.isKnownGuarded() || headers.cookie?.includes('rsvp-session')) return undefined
    const version = versionNow()
    if (version === undefined) return undefined
    return { route: path, page: shelfOf(path, known).take(version) }
  }
}

export async function sendPage(page: KeptPage, { headers }: FastifyRequest, reply: FastifyReply) {
  if (page.tag !== undefined && isKnown(headers['if-none-match'], page.tag)) return write(reply, 304, page.headers, [])
  const encoding = page.body.length < COMPRESSED_MINIMUM ? 'identity' : encodingFor(headers)
  const body = await page.body.endingWith(page.endForVisitor(), encoding)
  const length = String(body.reduce((sum, piece) => sum + piece.length, 0))
  const encoded = encoding !== 'identity' && { 'content-encoding': encoding }
  return write(reply, page.status, { ...page.headers, ...encoded, 'content-length': length }, body)
}

function keptPath(url: string): string | undefined {
  if (KEPT_PAGES.has(url) || KEPT_CALLS.has(url)) return url
  const end = url.indexOf('?')
  if (end === -1 || !KEPT_PAGES.has(url.slice(0, end))) return undefined
  const query = new URLSearchParams(url.slice(end))
  return READ_FROM_QUERY.some((name) => query.has(name)) ? undefined : url.slice(0, end)
}

/** Renders a page for a visitor without cookies. */
async function renderPage(path: string, { language, origin }: Known, { mode, headers }: Site) {
  // It needs no turn: each page is rendered only once at a time.
  const locals: Locals = { mode, origin, language, network: 'unknown', allowance: undefined, hasTurn: true }
  const response = await renderAddress(new URL(path, origin), locals)
  if (response.headers.getSetCookie().length > 0) throw new Error('A page for all visitors sets a cookie.')
  if (locals.call?.actor !== 'visitor') throw new Error('A page for all visitors was made for one of them.')
  const { status } = response
  const { 'content-length': _, ...own } = Object.fromEntries(response.headers)
  const whole = Buffer.from(await response.arrayBuffer())
  const { shared, endForVisitor } = divide(whole, status, locals.formMark)
  const isPage = own['content-type']?.startsWith('text/html')
  const isFile = own['content-type']?.startsWith('text/calendar')
  const isCompressed = shared.length >= COMPRESSED_MINIMUM
  // After a 304 the browser would reuse the form's key, so a second RSVP would count as a repetition.
  const hasTag = status === 200 && (isPage || isFile) && locals.formMark === undefined
  // Weak, because the bytes differ by encoding. Calls have their own tags, or must not be stored.
  const tag = hasTag ? `W/"${createHash('sha256').update(shared).digest('base64url')}"` : undefined
  return {
    /** False if the database could not be read. */
    isWhole: status === 200,
    status,
    headers: {
      ...headers(),
      ...own,
      ...(isCompressed && { vary: isPage ? 'accept-encoding, accept-language, cookie' : 'accept-encoding' }),
      ...(tag !== undefined && { etag: tag }),
    },
    tag,
    body: sharedBody(shared),
    /** Makes the end of the body for one visitor. */
    endForVisitor,
  }
}

/** Divides the body where the form mark begins, which is replaced by another one for each visitor. */
function divide(body: Buffer, status: number, formMark: string | undefined) {
  const start = formMark === undefined ? -1 : body.lastIndexOf(formMark)
  if (formMark !== undefined && start !== -1) {
    const rest = body.toString('utf8', start + Buffer.byteLength(formMark))
    const mark = () => formMarkFields(randomUUID(), Date.now())
    return { shared: body.subarray(0, start), endForVisitor: () => Buffer.from(mark() + rest) }
  }
  // The error page has no form. It may replace a page that failed after its form was marked.
  if (formMark !== undefined && status === 200) throw new Error('The mark of the form is missing from its page.')
  return { shared: body, endForVisitor: () => Buffer.alloc(0) }
}

/** Bypasses Fastify, which would copy the body into one piece and inspect it: that halves the pages per second. */
function write(reply: FastifyReply, status: number, headers: Record<string, string>, body: Buffer[]): FastifyReply {
  const { raw } = reply.hijack()
  raw.writeHead(status, reply.server.isStopping ? { ...headers, connection: 'close' } : headers)
  for (const piece of body) raw.write(piece)
  raw.end()
  return reply
}

function encodingFor(headers: FastifyRequest['headers']): Encoding {
  const accepted = headers['accept-encoding']
  if (accepted === undefined || headers['x-no-compression'] !== undefined) return 'identity'
  // As @fastify/compress reads it.
  return negotiate(accepted.toLowerCase().replaceAll(/\*|x-gzip/g, 'gzip'), ENCODINGS) ?? 'identity'
}
