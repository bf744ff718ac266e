import type { APIContext, APIRoute } from 'astro'
import { isOutage, UserError } from '#db/errors.ts'
import { isOutOfFiles } from '#db/open-files.ts'
import type { Operation } from '#db/operation.ts'
import { type Access, notAllowed } from '#site/server/access/access.ts'
import { logBug, loggedOutOfFiles, logOutage } from '#site/server/log.ts'
import { problemResponse, unexpected } from '#site/server/problem.ts'
import { mediaType } from './media-type.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

type Options<Output> = {
  /** Who may call it: the same as in the table of access.ts. Required, so that forgetting it does not compile. */
  access: Access
  /** What it is called with, where that is not the query, the address or the body. */
  input?: (context: APIContext) => unknown
  /** What it is called with beside that, from headers and cookies; a field of the same name in the body counts for nothing. */
  also?: (context: APIContext) => Record<string, unknown>
  /** The status of a success; by default 200, or 204 where the operation answers nothing. */
  status?: number
  /** For answers that are not plain JSON. */
  answer?: (output: Output, context: APIContext) => Response | Promise<Response>
}

/**
 * Makes a route of an operation: input from the query (GET), the address (DELETE) or the JSON body, the output as
 * JSON, every error as problem+json.
 */
export function endpoint<Output>(operation: Operation<Output>, options: Options<Output>): APIRoute {
  return async (context) => {
    try {
      if (options.access === 'administrator' && !context.locals.call.administrator) throw notAllowed()
      const input = await (options.input ?? inputOf)(context)
      const also = options.also?.(context)
      const output = await operation(isObject(input) ? { ...input, ...also } : input, context.locals.call)
      if (options.answer !== undefined) return await options.answer(output, context)
      return output === undefined ? new Response(null, { status: 204 }) : jsonResponse(output, options.status)
    } catch (error) {
      return errorResponse(error, context.routePattern)
    }
  }
}

export function jsonResponse(output: unknown, status = 200, headers: Record<string, string> = {}): Response {
  const body = Buffer.from(JSON.stringify(output))
  const own = { 'content-type': 'application/json', 'content-length': String(body.length), 'cache-control': 'no-store' }
  return new Response(body, { status, headers: { ...own, ...headers } })
}

/** A person's error as a problem; a bug as a bare 500, logged. */
function errorResponse(error: unknown, route: string): Response {
  if (isOutage(error)) logOutage(error)
  if (error instanceof UserError) return problemResponse(error)
  if (isOutOfFiles(error)) return problemResponse(loggedOutOfFiles())
  logBug(error, route)
  return problemResponse(unexpected())
}

async function inputOf({ request, params, url }: APIContext): Promise<unknown> {
  if (request.method === 'GET' || request.method === 'HEAD') return Object.fromEntries(url.searchParams)
  if (request.method === 'DELETE') return params
  const body = await jsonBody(request)
  return isObject(body) ? { ...body, ...params } : body
}

async function jsonBody(request: Request): Promise<unknown> {
  if (mediaType(request) !== 'application/json') {
    throw new UserError('unsupported-media-type', 'Send JSON, with the header Content-Type: application/json.')
  }
  try {
    // Bytes that are not UTF-8 would be stored as something else than what was typed.
    return JSON.parse(utf8.decode(await request.arrayBuffer()))
  } catch {
    throw new UserError('invalid', 'The body is not JSON. Check it for a missing quote, comma or bracket.')
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
