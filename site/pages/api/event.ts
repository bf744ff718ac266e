import { changeEvent, changeEventTexts, getStoredEvent } from '#db/event.ts'
import type { StoredEvent } from '#db/values/event.ts'
import { endpoint, jsonReply, revisionsIn } from '#site/server/calls/endpoint.ts'

export const GET = endpoint('GET /api/event', async () => {
  const stored = await getStoredEvent()
  return stored && replyWith(stored)
})

/** Without If-Match the last write wins, and replaces the whole event; with it, only the texts that are sent. */
export const POST = endpoint('POST /api/event', async (input, call, { request }) => {
  const onlyIfRevision = revisionsIn(request)
  if (onlyIfRevision !== undefined) return replyWith(await changeEventTexts({ ...input, onlyIfRevision }, call))
  const onlyIfNone = request.headers.get('if-none-match') === '*'
  return replyWith(await changeEvent({ ...input, onlyIfNone }, call))
})

function replyWith({ event, revision }: StoredEvent): Response {
  return jsonReply(event, { headers: { etag: `"${revision}"` } })
}
