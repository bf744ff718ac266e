import { setImmediate as nextTurn } from 'node:timers/promises'
import type { APIContext, APIRoute } from 'astro'
import pLimit from 'p-limit'
import * as z from 'zod/mini'
import { findSession } from '#db/access/sessions.ts'
import { type Call, parseInput } from '#db/call.ts'
import { withDeadline } from '#db/storage/deadline.ts'
import { UserError } from '#db/values/errors.ts'
import { isAtLeast } from '#db/values/roles.ts'
import type { CallDescription } from '#site/call-description.ts'
import { type CallName, calls, type ReplyOf } from '#site/calls.ts'
import { assertAllowed, assertProven } from '#site/server/access/access.ts'
import { LANGUAGE_QUERY } from '#site/server/language.ts'
import { errorResponse } from '#site/server/problem.ts'

/** The input of a call, not checked yet: the fields of its query or JSON body, and those in its path, e.g. `id`. */
type Input = Record<string, unknown>

/** An operation, or a function around one. It returns a `Response` if the reply is a stream or needs its own headers. */
type Run<Name extends CallName> = (input: Input, call: Call, context: APIContext) => Promise<ReplyOf<Name> | Response>
type RunForm = (fields: URLSearchParams, context: APIContext) => Promise<Response>

const jsonObject = z.looseObject({})
const utf8 = new TextDecoder('utf-8', { fatal: true })
/** 1 to 200 printable ASCII characters. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,200}$/
/** Filters for clerks and owners. Visitors are refused: a list that ignored their filter would mislead them. */
const ADMIN_FILTERS = ['deleted', 'q', 'role', 'suspicious', 'same', 'standing']
/** In RSVPs. A longer page would stay in memory for every visitor with a slow connection. */
const PUBLIC_PAGE_MAXIMUM = 200
/** At most two pieces of long replies are made at once, because other calls need turns in between. */
const inTurn = pLimit(2)

/**
 * Makes the handler of a call in the table: checks access once more after the middleware, reads the input, replies with
 * the result of `run` as JSON, and with every error as problem+json.
 * @param form handles a form instead, which browsers post without JavaScript.
 */
export function endpoint<Name extends CallName>(name: Name, run: Run<Name>, form?: RunForm): APIRoute {
  const { access = 'clerk', status = 200, needsProof, input: schema } = calls[name] as CallDescription
  return async (context) => {
    const { request, params, locals, routePattern } = context
    if (form !== undefined && mediaTypeOf(request) === 'application/x-www-form-urlencoded')
      return form(new URLSearchParams(await request.text()), context)
    try {
      assertAllowed(access, locals.call)
      if (needsProof) assertProven(locals.call)
      const input = schema === undefined ? params : { ...(await fieldsOf(context)), ...params }
      const result = await run(input, locals.call, context)
      if (result instanceof Response) return result
      return status === 204 ? new Response(null, { status }) : jsonReply(result, { status })
    } catch (error) {
      return errorResponse(error, routePattern)
    }
  }
}

/** A reply with JSON. It names the length, so that the reply to a HEAD does too. */
export function jsonReply(json: unknown, { status = 200, headers = {} }: { status?: number; headers?: object } = {}) {
  const body = Buffer.from(JSON.stringify(json))
  const usual = { 'content-type': 'application/json', 'content-length': String(body.length) }
  return new Response(body, { status, headers: { ...usual, 'cache-control': 'no-store', ...headers } })
}

/** A reply that is sent while its content is made. It breaks off once the caller is signed out or removed. */
export function streamed(
  content: AsyncIterable<string | Uint8Array>,
  { locals }: APIContext,
  headers: Record<string, string>,
): Response {
  locals.isStreamed = true
  const pieces = encoded(content)
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await inTurn(async () => {
        // Without this pause a fast connection would leave other calls no turn until the reply ends.
        await nextTurn()
        // Each piece has its own deadline, because a long list takes minutes.
        return withDeadline(async () => {
          if (await isSignedOut(locals)) throw new UserError('unauthenticated', 'The session is over. Sign in again.')
          return pieces.next()
        })
      })
      if (done) controller.close()
      else controller.enqueue(value)
    },
    // The client disconnected.
    async cancel() {
      await pieces.return(undefined)
    },
  })
  return new Response(body, { headers: { 'cache-control': 'no-store', ...headers } })
}

/** The idempotency key and the age of the form, in ms. @throws UserError 'invalid' for a malformed key. */
export function rsvpHeaders({ headers }: Request) {
  const idempotencyKey = headers.get('idempotency-key') ?? undefined
  if (idempotencyKey !== undefined && !IDEMPOTENCY_KEY.test(idempotencyKey)) {
    throw new UserError('invalid', 'An Idempotency-Key has 1 to 200 printable ASCII characters.')
  }
  const age = headers.get('form-age') ?? ''
  // An invalid age is no reason to refuse an RSVP.
  const formAge = /^\d{1,15}$/.test(age) ? Number(age) : undefined
  return { idempotencyKey, formAge }
}

/**
 * The revisions in an If-Match, e.g. `"12"`; an empty list, which matches nothing, if none has our format. Proxies that
 * compress turn `"12"` into `W/"12"` (nginx) or `"12-gzip"` (Caddy, Apache), which names the same revision.
 */
export function revisionsIn({ headers }: Request): number[] | 'any' | undefined {
  const ifMatch = headers.get('if-match')
  if (ifMatch === null) return undefined
  if (ifMatch.trim() === '*') return 'any'
  return Array.from(ifMatch.matchAll(/"(\d{1,15})(?:-\w+)?"/g), ([, revision]) => Number(revision))
}

/**
 * The filter of a list of RSVPs, from the query. An email address is ignored: proxies would log it.
 * @throws UserError 'unauthenticated' if a visitor uses a filter for administrators.
 */
export function filterOf({ url, locals }: APIContext): Record<string, string> {
  const { email: _, [LANGUAGE_QUERY]: __, ...asked } = Object.fromEntries(url.searchParams)
  if (isAtLeast('clerk', locals.call.role)) return asked
  if (ADMIN_FILTERS.some((name) => url.searchParams.has(name))) assertAllowed('clerk', locals.call)
  return Number(asked.limit) > PUBLIC_PAGE_MAXIMUM ? { ...asked, limit: String(PUBLIC_PAGE_MAXIMUM) } : asked
}

/**
 * The fields of the query, or for a POST, PUT or PATCH those of the JSON body.
 * @throws UserError 'unsupported-media-type' or 'invalid' when the body is not a JSON object.
 */
async function fieldsOf({ request, url }: APIContext): Promise<object> {
  if (['GET', 'HEAD', 'DELETE'].includes(request.method)) return Object.fromEntries(url.searchParams)
  if (mediaTypeOf(request) !== 'application/json') {
    throw new UserError('unsupported-media-type', 'Send JSON, with the header Content-Type: application/json.')
  }
  return parseInput(jsonObject, parseJson(new Uint8Array(await request.arrayBuffer())))
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    // Bytes that are not UTF-8 would be stored as different text.
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw new UserError('invalid', 'The body is not JSON. Check it for a missing quote, comma or bracket.')
  }
}

/** The media type without its parameters, e.g. `application/json`. */
function mediaTypeOf({ headers }: Request): string | undefined {
  return headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
}

async function isSignedOut({ call, token }: App.Locals): Promise<boolean> {
  return token !== undefined && (await findSession(token, call)) === undefined
}

async function* encoded(content: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of content) yield typeof piece === 'string' ? Buffer.from(piece) : piece
}
