import type { APIContext, APIRoute } from 'astro'
import type { Call } from '#db/call.ts'
import { UserError } from '#db/values/errors.ts'
import type { CallDescription } from '#site/call-description.ts'
import { type CallName, calls, type ReplyOf } from '#site/calls.ts'
import { assertAllowed, assertProven } from '#site/server/access/access.ts'
import { errorResponse } from '#site/server/problem.ts'

/** What a call was sent, not checked yet: the fields of its query or JSON body, and those in its address, e.g. `id`. */
type Input = Record<string, unknown>

/** An operation, or what makes its input and reply; a `Response` if the reply has headers of its own, or is a stream. */
type Run<Name extends CallName> = (input: Input, call: Call, context: APIContext) => Promise<ReplyOf<Name> | Response>
type RunForm = (fields: URLSearchParams, context: APIContext) => Promise<Response>

const utf8 = new TextDecoder('utf-8', { fatal: true })

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

/** With the length also in the reply to a HEAD. */
export function jsonReply(json: unknown, { status = 200, headers = {} }: { status?: number; headers?: object } = {}) {
  const body = Buffer.from(JSON.stringify(json))
  const usual = { 'content-type': 'application/json', 'content-length': String(body.length) }
  return new Response(body, { status, headers: { ...usual, 'cache-control': 'no-store', ...headers } })
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
  const json = parseJson(new Uint8Array(await request.arrayBuffer()))
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json
  const refused = new UserError('does-not-fit')
  refused.fields = [{ path: '', message: 'Send a JSON object.' }]
  throw refused
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
