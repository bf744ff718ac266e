import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { negotiate } from '@fastify/accept-negotiator'
import { millisecondsInMinute } from 'date-fns/constants'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Language } from '#db/language/languages.ts'
import type { Mode } from '#site/server/access/mode.ts'
import { renderAddress } from '#site/server/front/astro.ts'
import { formMarkFields } from './form-mark.ts'
import { type Encoding, sharedBody } from './shared-body.ts'
import { openShelf, type Shelf } from './shelf.ts'

/** A reply that is the same for every visitor, except for the mark of its form. */
type KeptPage = Awaited<ReturnType<typeof renderPage>>
/** All that a kept page depends on besides the data; `origin` is the address under which the site is reached. */
type Known = { language: Language; origin: string }
/** `headers` are those of every reply; `sendsMail` says whether a mail server is set. */
type Site = { mode: Mode; headers: () => Record<string, string>; sendsMail: boolean }
/** Rendering adds the caller. */
type Locals = Parameters<typeof renderAddress>[1] & Partial<Pick<App.Locals, 'call'>>

/** The same for all visitors with one language. Everything else is rendered for each request. */
const KEPT = ['/', '/share', '/privacy', '/calendar.ics', '/api/event', '/api/features', '/api/volunteer-roles']
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
    if (!KEPT.includes(url) || (method !== 'GET' && method !== 'HEAD')) return undefined
    if (!site.mode.isKnownGuarded() || headers.cookie?.includes('rsvp-session')) return undefined
    const version = versionNow()
    if (version === undefined) return undefined
    return { route: url, page: shelfOf(url, known).take(version) }
  }
}

/** Bypasses Fastify, which would copy the body into one piece and inspect it: that halves the pages per second. */
export async function sendPage(page: KeptPage, { headers }: FastifyRequest, reply: FastifyReply) {
  const encoding = page.body.length < COMPRESSED_MINIMUM ? 'identity' : encodingFor(headers)
  const body = await page.body.endingWith(page.endForVisitor(), encoding)
  const length = String(body.reduce((sum, piece) => sum + piece.length, 0))
  const encoded = encoding !== 'identity' && { 'content-encoding': encoding }
  const { raw } = reply.hijack()
  const closing = reply.server.isStopping && { connection: 'close' }
  raw.writeHead(page.status, { ...page.headers, ...encoded, 'content-length': length, ...closing })
  for (const piece of body) raw.write(piece)
  raw.end()
  return reply
}

/** Renders a page for a visitor without cookies. */
async function renderPage(path: string, { language, origin }: Known, { mode, headers, sendsMail }: Site) {
  // It needs no turn: each page is rendered only once at a time.
  const locals: Locals = { mode, origin, language, network: 'unknown', allowance: undefined, sendsMail, hasTurn: true }
  const response = await renderAddress(new URL(path, origin), locals)
  if (response.headers.getSetCookie().length > 0) throw new Error('A page for all visitors sets a cookie.')
  if (locals.call?.actor !== 'visitor') throw new Error('A page for all visitors was made for one of them.')
  const { status } = response
  const { 'content-length': _, ...own } = Object.fromEntries(response.headers)
  const whole = Buffer.from(await response.arrayBuffer())
  const { shared, endForVisitor } = divide(whole, status, locals.formMark)
  const isPage = own['content-type']?.startsWith('text/html')
  const isCompressed = shared.length >= COMPRESSED_MINIMUM
  return {
    /** False if the database could not be read. */
    isWhole: status === 200,
    status,
    headers: {
      ...headers(),
      ...own,
      ...(isCompressed && { vary: isPage ? 'accept-encoding, accept-language, cookie' : 'accept-encoding' }),
    },
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

function encodingFor(headers: FastifyRequest['headers']): Encoding {
  const accepted = headers['accept-encoding']
  if (accepted === undefined || headers['x-no-compression'] !== undefined) return 'identity'
  // As @fastify/compress reads it.
  return negotiate(accepted.toLowerCase().replaceAll(/\*|x-gzip/g, 'gzip'), ENCODINGS) ?? 'identity'
}
