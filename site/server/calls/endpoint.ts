import type { APIContext, APIRoute } from 'astro'
import type { Operation, OperationWithoutInput } from '#db/call.ts'
import { UserError } from '#db/values/errors.ts'
import type { CallDescription } from '#site/call-description.ts'
import type { ReplyOf } from '#site/call-types.ts'
import { type CallName, calls } from '#site/calls.ts'
import { assertAllowed, assertProven } from '#site/server/access/access.ts'
import { errorResponse } from '#site/server/problem.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

type Options = {
  /** The input of the operation, if it is neither what the table names, in the query or the body, nor the address. */
  input?: (context: APIContext) => unknown
  /** Further input from headers and cookies. It overrides fields of the same name in the body. */
  fromHeaders?: (context: APIContext) => object
  /** Handles a form, which browsers post without JavaScript. */
  form?: APIRoute
}

/** The JSON of the reply with additional headers, or a whole reply, with cookies or a stream. */
type Replying<Name extends CallName, Output> = {
  reply: (
    output: Output,
    context: APIContext,
  ) => { json: ReplyOf<Name>; headers?: Record<string, string> } | Response | Promise<Response>
}

/**
 * Makes the handler of a call in the table from an operation: input from the query (GET) or the JSON body, and from the
 * address, the output as JSON, every error as problem+json. The operation checks access again. It needs `reply` if it
 * returns something else than the table promises.
 */
export function endpoint<Name extends CallName>(
  name: Name,
  operation: Operation<ReplyOf<Name>>,
  options?: Options,
): [CallName, APIRoute]
export function endpoint<Name extends CallName, Output>(
  name: Name,
  operation: Operation<Output>,
  options: Options & Replying<Name, Output>,
): [CallName, APIRoute]
export function endpoint<Name extends CallName, Output>(
  name: Name,
  operation: Operation<Output>,
  options: Options & Partial<Replying<Name, Output>> = {},
): [CallName, APIRoute] {
  const { access = 'clerk', status = 200, needsProof, input: named } = calls[name] as CallDescription
  const { form, fromHeaders, reply } = options
  const read = options.input ?? (named === undefined ? ({ params }) => params : inputOf)
  async function handle(context: APIContext): Promise<Response> {
    const type = mediaType(context.request.headers.get('content-type'))
    if (form !== undefined && type === 'application/x-www-form-urlencoded') return form(context)
    try {
      const { call } = context.locals
      assertAllowed(access, call)
      if (needsProof) assertProven(call)
      const input = await read(context)
      const output = await operation(isObject(input) ? { ...input, ...fromHeaders?.(context) } : input, call)
      const made = reply === undefined ? { json: output } : await reply(output, context)
      if (made instanceof Response) return made
      return status === 204 ? new Response(null, { status }) : jsonReply(made, status)
    } catch (error) {
      return errorResponse(error, context.routePattern)
    }
  }
  return [name, handle]
}

/** For `endpoint`, of an operation that takes none. */
export function withoutInput<Output>(operation: OperationWithoutInput<Output>): Operation<Output> {
  return (_none, call) => operation(call)
}

/** With the length also in the reply to a HEAD. */
export function jsonReply(
  { json, headers }: { json: unknown; headers?: Record<string, string> | undefined },
  status = 200,
): Response {
  const body = Buffer.from(JSON.stringify(json))
  const usual = { 'content-type': 'application/json', 'content-length': String(body.length) }
  return new Response(body, { status, headers: { ...usual, 'cache-control': 'no-store', ...headers } })
}

/** The media type without its parameters, e.g. `application/json`. */
function mediaType(contentType: string | null): string | undefined {
  return contentType?.split(';')[0]?.trim().toLowerCase()
}

/** The name in the table of what a request calls. A HEAD is a GET without its body. */
export function callNameOf({ request, routePattern }: APIContext): string {
  return `${request.method === 'HEAD' ? 'GET' : request.method} ${routePattern}`
}

export async function inputOf({ request, params, url }: APIContext): Promise<unknown> {
  if (request.method === 'GET' || request.method === 'HEAD') return Object.fromEntries(url.searchParams)
  const body = parseJson(request.headers.get('content-type'), new Uint8Array(await request.arrayBuffer()))
  return isObject(body) ? { ...body, ...params } : body
}

/** @throws UserError 'unsupported-media-type' or 'invalid' when the body is not JSON. */
function parseJson(contentType: string | null, bytes: Uint8Array): unknown {
  if (mediaType(contentType) !== 'application/json') {
    throw new UserError('unsupported-media-type', 'Send JSON, with the header Content-Type: application/json.')
  }
  try {
    // Bytes that are not UTF-8 would be stored as different text.
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw new UserError('invalid', 'The body is not JSON. Check it for a missing quote, comma or bracket.')
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
