import { createHash, randomUUID } from 'node:crypto'
import type { Language } from '#db/language/languages.ts'
import type { Mode } from '#site/server/access/mode.ts'
import { renderAddress } from '#site/server/front/astro.ts'
import { formMarkFields } from './form-mark.ts'
import { type SharedBody, sharedBody } from './shared-body.ts'

/** A reply that is the same for every visitor, except for the mark of its form. */
export type SharedPage = {
  /** Whether it shows what is stored; otherwise the database could not be read. */
  isWhole: boolean
  status: number
  headers: Record<string, string>
  /** By which a browser that has the page already can say so. */
  tag: string | undefined
  body: SharedBody
  /** What follows the shared part of the body, made for one visitor. */
  endForVisitor(): Buffer
}

/** `headers` are those of every reply. */
export type Site = { mode: Mode; headers: Record<string, string> }

/** Rendering adds who it was made for, and how its form was marked. */
type Locals = Parameters<typeof renderAddress>[1] & Partial<Pick<App.Locals, 'call' | 'formMark'>>

const NOTHING = Buffer.alloc(0)
/** Bytes; less is sent as it is. As @fastify/compress does, which compresses all other replies. */
const COMPRESSED_MINIMUM = 1024

/** What is known of the visitor: the language, and the address under which the site is reached. */
export type Known = { language: Language; origin: string }

/** Renders a page as it is for a visitor of whom nothing else is known. */
export async function renderPage(
  path: string,
  { language, origin }: Known,
  { mode, headers }: Site,
): Promise<SharedPage> {
  // It waits for no turn: there is one rendering at a time of each page.
  const locals: Locals = { mode, origin, language, network: 'unknown', allowance: undefined, hasTurn: true }
  const response = await renderAddress(new URL(path, origin), locals)
  if (response.headers.getSetCookie().length > 0) throw new Error('A page for all visitors sets a cookie.')
  if (locals.call?.actor !== 'visitor') throw new Error('A page for all visitors was made for one of them.')
  const body = Buffer.from(await response.arrayBuffer())
  const { shared, endForVisitor } = divide(body, response.status, locals.formMark)
  // A browser that is told to show a page with a form once more would also send its key once more, which is no new RSVP.
  const tag = locals.formMark === undefined ? tagOf(response, shared) : undefined
  return {
    isWhole: response.status === 200,
    status: response.status,
    headers: { ...headers, ...headersOf(response, shared), ...(tag !== undefined && { etag: tag }) },
    tag,
    body: sharedBody(shared),
    endForVisitor,
  }
}

/** Divides the body where the form mark begins, which is replaced by another one for each visitor. */
function divide(
  body: Buffer,
  status: number,
  formMark: string | undefined,
): Pick<SharedPage, 'endForVisitor'> & { shared: Buffer } {
  const undivided = { shared: body, endForVisitor: () => NOTHING }
  if (formMark === undefined) return undivided
  const start = body.lastIndexOf(formMark)
  // The error page has no form. It stands in for a page that failed after its form was marked.
  if (start === -1 && status !== 200) return undivided
  if (start === -1) throw new Error('The mark of the form is missing from its page.')
  const rest = body.toString('utf8', start + Buffer.byteLength(formMark))
  return {
    shared: body.subarray(0, start),
    endForVisitor: () => Buffer.from(formMarkFields({ formKey: randomUUID(), drawnAt: Date.now() }) + rest),
  }
}

function headersOf({ headers }: Response, shared: Buffer): Record<string, string> {
  const { 'content-length': _, ...own } = Object.fromEntries(headers)
  const vary = own['content-type']?.startsWith('text/html')
    ? 'accept-encoding, accept-language, cookie'
    : 'accept-encoding'
  return shared.length < COMPRESSED_MINIMUM ? own : { ...own, vary }
}

/** Weak, because the bytes differ by encoding. Calls have tags of their own, or may not be stored. */
function tagOf({ headers, status }: Response, shared: Buffer): string | undefined {
  if (status !== 200 || !/^text\/(html|calendar)/.test(headers.get('content-type') ?? '')) return undefined
  return `W/"${createHash('sha256').update(shared).digest('base64url')}"`
}
