import { addRsvp } from '#db/rsvp/entry.ts'
import { listRsvps, pagesFrom, type RsvpPage, responsesOf } from '#db/rsvp/list.ts'
import { isAtLeast } from '#db/values/roles.ts'
import { endpoint, filterOf, jsonReply, rsvpHeaders, streamed } from '#site/server/calls/endpoint.ts'

/** One page with a Link to the next for visitors and with `limit`; otherwise all responses as one JSON array. */
export const GET = endpoint('GET /api/rsvps', async (_, call, context) => {
  const first = await listRsvps(filterOf(context), call)
  const { searchParams } = context.url
  const isWhole = isAtLeast('clerk', call.role) && !searchParams.has('limit')
  if (!isWhole || first.next === undefined) return onePage(first, searchParams)
  return streamed(asOneArray(pagesFrom(first, call)), context, { 'content-type': 'application/json' })
})

export const POST = endpoint('POST /api/rsvps', (input, call, { request }) =>
  addRsvp({ ...input, ...rsvpHeaders(request) }, call),
)

function onePage(page: RsvpPage, searchParams: URLSearchParams): Response {
  const responses = responsesOf(page)
  if (page.next === undefined) return jsonReply(responses)
  const query = new URLSearchParams(searchParams)
  query.set('before', String(page.next))
  return jsonReply(responses, { headers: { link: `</api/rsvps?${query}>; rel="next"` } })
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
