import { setImmediate as nextTurn } from 'node:timers/promises'
import type { APIContext } from 'astro'
import pLimit from 'p-limit'
import { findSession } from '#db/access/sessions.ts'
import { recordAct } from '#db/audit.ts'
import { csvDocument, exportFileName } from '#db/rsvp/csv.ts'
import { pagesFrom, type RsvpPage, responsesFrom, responsesOf } from '#db/rsvp/list.ts'
import { withDeadline } from '#db/storage/deadline.ts'
import { separatorFor } from '#db/values/csv.ts'
import { UserError } from '#db/values/errors.ts'
import { isAtLeast } from '#db/values/roles.ts'
import { assertAllowed } from '#site/server/access/access.ts'
import { LANGUAGE_QUERY } from '#site/server/language.ts'
import { jsonReply } from './endpoint.ts'

/** Only for administrators. A visitor is refused: without the filter the list would be misunderstood. */
const ADMINISTRATORS = ['deleted', 'q', 'role', 'suspicious', 'same', 'standing']
/** The page size for visitors: a list of any length would stay in memory for every slow reader. */
const PUBLIC_PAGE_MAXIMUM = 200
/** Pieces of long replies in progress: other calls need turns in between. */
const inTurn = pLimit(2)

/**
 * The filter in the address. Not by email: it would appear in every log on the way.
 * @throws UserError 'unauthenticated' if a visitor uses a filter for administrators.
 */
export function filterOf({ url, locals }: APIContext): Record<string, string> {
  const { email: _, [LANGUAGE_QUERY]: __, ...asked } = Object.fromEntries(url.searchParams)
  if (isAtLeast('clerk', locals.call.role)) return asked
  if (ADMINISTRATORS.some((name) => url.searchParams.has(name))) assertAllowed('clerk', locals.call)
  return Number(asked.limit) > PUBLIC_PAGE_MAXIMUM ? { ...asked, limit: String(PUBLIC_PAGE_MAXIMUM) } : asked
}

/** A page with a Link to the next for visitors and for `?limit=`; else all responses as one JSON array. */
export function replyWithRsvps(first: RsvpPage, context: APIContext): Response {
  const { locals, url } = context
  const isWhole = isAtLeast('clerk', locals.call.role) && !url.searchParams.has('limit')
  if (!isWhole || first.next === undefined) return onePage(first, url.searchParams)
  return streamed(encoded(asOneArray(pagesFrom(first, locals.call))), context, { type: 'application/json' })
}

export async function replyWithCsv(first: RsvpPage, context: APIContext): Promise<Response> {
  const { call } = context.locals
  await recordAct({ action: 'responses exported' }, call)
  const { week, ...filters } = filterOf(context)
  const held = { week: week || undefined, isSelection: Object.values(filters).some((value) => value !== '') }
  const csv = csvDocument(responsesFrom(first, call), { separator: separatorFor(call.language) })
  const name = await exportFileName(call.now, 'csv', held)
  const headers = { 'content-disposition': `attachment; filename="${name}"` }
  return streamed(encoded(csv), context, { type: 'text/csv; charset=utf-8', headers })
}

async function* asOneArray(pages: AsyncIterable<RsvpPage>): AsyncGenerator<string> {
  let lead = '['
  for await (const { objects } of pages) {
    if (objects.length === 0) continue
    yield lead + objects.join(',')
    lead = ','
  }
  yield lead === '[' ? '[]' : ']'
}

function onePage(page: RsvpPage, searchParams: URLSearchParams): Response {
  const json = responsesOf(page)
  if (page.next === undefined) return jsonReply({ json })
  const query = new URLSearchParams(searchParams)
  query.set('before', String(page.next))
  return jsonReply({ json, headers: { link: `</api/rsvps?${query}>; rel="next"` } })
}

/** The first page is read before the first byte is sent, so that an unreadable database still gives a 503. */
export function streamed(
  chunks: AsyncGenerator<Uint8Array>,
  { locals }: APIContext,
  { type, headers = {} }: { type: string; headers?: Record<string, string> },
): Response {
  locals.isStreamed = true
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await inTurn(async () => {
        // As long as the system accepts the data at once, nothing else would get a turn until the list ends.
        await nextTurn()
        // The deadline is for each page, not for the whole list.
        return withDeadline(async () => {
          if (await isSignedOut(locals)) throw new UserError('unauthenticated', 'The session is over. Sign in again.')
          return chunks.next()
        })
      })
      if (done) controller.close()
      else controller.enqueue(value)
    },
    // The client disconnected.
    async cancel() {
      await chunks.return(undefined)
    },
  })
  return new Response(body, { headers: { 'content-type': type, 'cache-control': 'no-store', ...headers } })
}

/** A long list takes minutes: whoever was removed meanwhile gets no more of it. */
async function isSignedOut({ call, token }: App.Locals): Promise<boolean> {
  return token !== undefined && (await findSession(token, call)) === undefined
}

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text)
}
