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
/** What is known of a visitor: the language, and the address under which the site is reached. */
type Known = { language: Language; origin: string }
/** `headers` are those of every reply. */
type Site = { mode: Mode; headers: Record<string, string> }
/** Rendering adds who it was made for, and how its form was marked. */
type Locals = Parameters<typeof renderAddress>[1] & Partial<Pick<App.Locals, 'call' | 'formMark'>>

/** What every visitor with the same language gets alike. Everything else is made for each request. */
const KEPT_PAGES = new Set(['/', '/share', '/privacy', '/calendar.ics'])
const KEPT_CALLS = new Set(['/api/event', '/api/features', '/api/volunteer-roles'])
/** What pages read of a query. The rest changes nothing, e.g. what social networks append to a link. */
const READ_FROM_QUERY = ['before', 'thanks', 'date', 'to', LANGUAGE_QUERY]
/** At a time. Where PUBLIC_URL does not say the site's name, pages show the one in the request, and clients make names up. */
const PAGES_MAXIMUM = 200
/** Bytes; less is sent as it is. As @fastify/compress does, which compresses all other replies. */
const COMPRESSED_MINIMUM = 1024
const ENCODINGS: Encoding[] = ['br', 'gzip']

/**
 * Keeps public pages in memory while the data they show stays the same. Only for visitors of a guarded site: in open mode
 * everyone is an administrator.
 * @param changes differs once something was stored; undefined while that cannot be told.
 * @returns a function that finds the page that a request asks for, or makes it; undefined where it has to be made for this
 * request alone. `route` is the pattern of its address, for the log.
 */
export function keepPages(site: Site, changes: () => string | undefined) {
  /** The one that was asked for last stands at the end. */
  const shelves = new Map<string, Shelf<KeptPage>>()

  /** Of what pages show: the data, and the minute, which is printed on them. */
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

/** Renders a page as it is for a visitor of whom nothing else is known. */
async function renderPage(path: string, { language, origin }: Known, { mode, headers }: Site) {
  // It waits for no turn: there is one rendering at a time of each page.
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
  // A browser that is told to show a page with a form once more would also send its key once more, which is no new RSVP.
  const hasTag = status === 200 && (isPage || isFile) && locals.formMark === undefined
  // Weak, because the bytes differ by encoding. Calls have tags of their own, or may not be stored.
  const tag = hasTag ? `W/"${createHash('sha256').update(shared).digest('base64url')}"` : undefined
  return {
    /** Whether it shows what is stored; otherwise the database could not be read. */
    isWhole: status === 200,
    status,
    headers: {
      ...headers,
      ...own,
      ...(isCompressed && { vary: isPage ? 'accept-encoding, accept-language, cookie' : 'accept-encoding' }),
      ...(tag !== undefined && { etag: tag }),
    },
    /** By which a browser that has the page already can say so. */
    tag,
    body: sharedBody(shared),
    /** What follows the shared part of the body, made for one visitor. */
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
  // The error page has no form. It stands in for a page that failed after its form was marked.
  if (formMark !== undefined && status === 200) throw new Error('The mark of the form is missing from its page.')
  return { shared: body, endForVisitor: () => Buffer.alloc(0) }
}

/** Past Fastify, which would copy the body into one piece and look at it once more: that halves the pages a second. */
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
