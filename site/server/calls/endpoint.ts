import type { APIContext, APIRoute } from 'astro'
import { UserError } from '#db/errors.ts'
import type { Operation, OperationWithoutInput } from '#db/operation.ts'
import type { CallDescription } from '#site/call-description.ts'
import type { FieldOf, ReplyOf } from '#site/call-types.ts'
import { type CallName, calls } from '#site/calls.ts'
import { assertAllowed, assertProven } from '#site/server/access/access.ts'
import { errorResponse } from '#site/server/problem.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

type Options<Name extends CallName, Output, Read, FromHeaders> = {
  /** The input of the operation, if it is neither what the table names, in the query or the body, nor the address. */
  input?: (context: APIContext) => Read | Promise<Read>
  /** Further input from headers and cookies. It overrides fields of the same name in the body. */
  fromHeaders?: (context: APIContext) => FromHeaders
  /** Handles a form, which browsers post without JavaScript. */
  form?: APIRoute
} & ReplyOptions<Name, Output>

/** Requires an operation that takes exactly the fields of the call table and the added ones. */
type Fitting<Input, Named, Added> = [Difference<Input, Named, Added>] extends [never]
  ? unknown
  : { 'The call table and the operation differ in': Difference<Input, Named, Added> }
type Difference<Input, Named, Added> = Exclude<Named, keyof Input> | Exclude<keyof Input, Named | Added>

/** Required if the operation returns something else than the call table promises. */
type ReplyOptions<Name extends CallName, Output> = (typeof calls)[Name] extends { status: 204 }
  ? { respond?: Respond<Output> }
  : [Output] extends [ReplyOf<Name>]
    ? { reply?: MakeReply<Name, Output>; respond?: Respond<Output> }
    : { reply: MakeReply<Name, Output>; respond?: never } | { respond: Respond<Output>; reply?: never }

/** The JSON of the reply, and additional headers. */
type MakeReply<Name extends CallName, Output> = (
  output: Output,
  context: APIContext,
) => {
  json: ReplyOf<Name>
  headers?: Record<string, string>
}
/** Makes a reply with cookies or a stream. */
type Respond<Output> = (output: Output, context: APIContext) => Response | Promise<Response>

type AnyOptions<Output> = {
  input?: (context: APIContext) => unknown
  fromHeaders?: (context: APIContext) => object
  form?: APIRoute
  reply?: (output: Output, context: APIContext) => { json: unknown; headers?: Record<string, string> }
  respond?: Respond<Output>
}

/**
 * Makes the handler of a call in the table from an operation: input from the query (GET) or the JSON body, and from the
 * address, the output as JSON, every error as problem+json. The operation checks access again.
 */
export function endpoint<Name extends CallName, Output, Input, Read = unknown, FromHeaders extends object = object>(
  name: Name,
  operation: Operation<Output, Input> & Fitting<Input, FieldOf<Name>, keyof Read | keyof FromHeaders>,
  options: Options<Name, Output, Read, FromHeaders>,
): [CallName, APIRoute] {
  return [name, handlerOf(name, operation, options)]
}

export function endpointWithoutInput<Name extends CallName, Output>(
  name: Name,
  operation: OperationWithoutInput<Output>,
  options: ReplyOptions<Name, Output>,
): [CallName, APIRoute] {
  return [name, handlerOf(name, (_none, call) => operation(call), { ...options, input: () => undefined })]
}

/** The media type without its parameters, e.g. `application/json`. */
function mediaType(contentType: string | null): string | undefined {
  return contentType?.split(';')[0]?.trim().toLowerCase()
}

function handlerOf<Output>(name: CallName, operation: Operation<Output>, options: AnyOptions<Output>): APIRoute {
  const { access = 'clerk', status = 200, needsProof, input: named } = calls[name] as CallDescription
  const read = options.input ?? (named === undefined ? ({ params }) => params : inputOf)
  return async (context) => {
    const type = mediaType(context.request.headers.get('content-type'))
    if (options.form !== undefined && type === 'application/x-www-form-urlencoded') return options.form(context)
    try {
      assertAllowed(access, context.locals.call)
      if (needsProof) assertProven(context.locals.call)
      const input = await read(context)
      const fromHeaders = options.fromHeaders?.(context)
      const output = await operation(isObject(input) ? { ...input, ...fromHeaders } : input, context.locals.call)
      if (options.respond !== undefined) return await options.respond(output, context)
      const { json, headers } = options.reply?.(output, context) ?? { json: output }
      if (status === 204) return new Response(null, { status })
      const body = Buffer.from(JSON.stringify(json))
      // The length also in the reply to a HEAD.
      const length = { 'content-type': 'application/json', 'content-length': String(body.length) }
      return new Response(body, { status, headers: { ...length, 'cache-control': 'no-store', ...headers } })
    } catch (error) {
      return errorResponse(error, context.routePattern)
    }
  }
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
