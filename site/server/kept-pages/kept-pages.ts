import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, crc32, deflateRaw } from 'node:zlib'
import { millisecondsInMinute } from 'date-fns/constants'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Language } from '#db/values/languages.ts'
import type { Mode } from '#site/server/access/site-state.ts'
import { renderAddress } from '#site/server/front/astro.ts'
import { FORM_MARK, formMarkFields } from './form-mark.ts'
import { shareValue } from './shared-value.ts'

type Encoding = 'br' | 'gzip' | 'identity'
/** A reply that is the same for all visitors, except for the mark of its form. */
type KeptPage = Awaited<ReturnType<typeof renderPage>>
/** What a page depends on besides the stored data. `origin` is the address of the site that its visitors use. */
type Variant = { language: Language; origin: string }
/** `headers` returns the headers that every reply of the site has. */
type Site = { mode: Mode; headers: () => Record<string, string>; sendsMail: boolean }
type Locals = Parameters<typeof renderAddress>[1] & Partial<Pick<App.Locals, 'call'>>

/** Pages that are the same for all visitors in one language. All others are rendered for each request. */
const KEPT = ['/', '/share', '/privacy', '/calendar.ics', '/api/event', '/api/features', '/api/volunteer-roles']
/** Limited, because without PUBLIC_URL pages differ by the Host of the request, which clients can invent. */
const PAGES_MAXIMUM = 200
/** In bytes; the default of @fastify/compress, which compresses all other replies. */
const COMPRESSED_MINIMUM = 1024
const ENCODINGS: Encoding[] = ['br', 'gzip']
const compressBrotli = promisify(brotliCompress)
const compressDeflate = promisify(deflateRaw)

/** Other replies have quality 4: this one saves 7 % of the bytes for 0.2 ms. Quality 11 would take 16 ms. */
const BROTLI_QUALITY = 5
const BROTLI_WINDOW_BITS = 17
/** A header without name and time, for an unknown system (RFC 1952, section 2.3). */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
/** An empty last block of a Brotli stream. */
const BROTLI_LAST = Buffer.from([3])

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
  // It needs no turn, because a page is rendered only once at a time. The middleware adds `call`.
  const locals: Locals = { mode, origin, language, network: 'unknown', allowance: undefined, sendsMail, hasTurn: true }
  const response = await renderAddress(new URL(path, origin), locals)
  if (response.headers.getSetCookie().length > 0) throw new Error('A page for all visitors sets a cookie.')
  if (locals.call?.actor !== 'visitor') throw new Error('A page for all visitors was rendered for an administrator.')
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

/** Splits the body where the mark of its form begins, because each visitor gets another mark. */
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

/**
 * A body whose shared part is compressed once per encoding, on first use. It ends on a byte boundary, after which both
 * formats allow uncompressed bytes, so the end that differs for each visitor is not compressed.
 */
function sharedBody(shared: Buffer) {
  const checksum = crc32(shared)
  const encoded = new Map<Encoding, Promise<Buffer>>()

  /**
   * @param end at most 65,535 bytes.
   * @returns the pieces of the whole body.
   */
  async function endingWith(end: Buffer, encoding: Encoding): Promise<Buffer[]> {
    if (encoding === 'identity') return [shared, end]
    const compressed = encoded.get(encoding) ?? encode(shared, encoding)
    encoded.set(encoding, compressed)
    const start = await compressed
    if (encoding === 'br') return [start, uncompressedMetaBlock(end), BROTLI_LAST]
    const trailer = Buffer.allocUnsafe(8)
    trailer.writeUInt32LE(crc32(end, checksum), 0)
    trailer.writeUInt32LE(shared.length + end.length, 4)
    return [start, lastBlock(end), trailer]
  }

  return { length: shared.length, endingWith }
}

async function encode(shared: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') {
    return Buffer.concat([GZIP_HEADER, await compressDeflate(shared, { finishFlush: constants.Z_SYNC_FLUSH })])
  }
  const { BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_LGWIN: window, BROTLI_OPERATION_FLUSH: finishFlush } = constants
  return compressBrotli(shared, { params: { [quality]: BROTLI_QUALITY, [window]: BROTLI_WINDOW_BITS }, finishFlush })
}

/** The last block of a deflate stream, not compressed (RFC 1951, section 3.2.4). */
function lastBlock(bytes: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt8(1, 0)
  head.writeUInt16LE(bytes.length, 1)
  head.writeUInt16LE(bytes.length ^ 0xffff, 3)
  return Buffer.concat([head, bytes])
}

/** An uncompressed block of a Brotli stream, not the last (RFC 7932, section 9.2). Such a block cannot be empty. */
function uncompressedMetaBlock(bytes: Buffer): Buffer {
  if (bytes.length === 0) return bytes
  const head = Buffer.alloc(3)
  head.writeUIntLE((1 << 19) | ((bytes.length - 1) << 3), 0, 3)
  return Buffer.concat([head, bytes])
}
