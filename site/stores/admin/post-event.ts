import type { EventContent } from '#db/event/content.ts'
import { toPayload } from '#db/event/payload.ts'
import type { EventPayload } from '#db/event/schema.ts'
import { type Options, request, revisionOf } from '#site/lib/request.ts'
import type { KnownEvent } from '#site/stores/event.ts'

/**
 * Where the revision is known only what was changed is sent, for that revision alone; where nothing is stored, or may
 * be, the whole event, for the case that nothing is; where a proxy took the revision away, as specified.
 */
export async function postEvent(content: EventContent, known: KnownEvent | undefined): Promise<KnownEvent> {
  const response = await request('POST /api/event', postOf(toPayload(content), known))
  // Its body is not read: a request that is never read to its end counts as under way.
  response.body?.cancel()
  return { content, revision: revisionOf(response) }
}

function postOf(body: EventPayload, known: KnownEvent | undefined): Options<'POST /api/event'> {
  if (known === undefined) return { body, headers: { 'If-None-Match': '*' } }
  if (known.revision === undefined) return { body }
  const before = Object.entries(toPayload(known.content))
  const changed = Object.entries(body).filter(
    ([name, text]) => !before.some((one) => one[0] === name && one[1] === text),
  )
  // Saving without a change is sent as well, as specified.
  return {
    body: changed.length > 0 ? Object.fromEntries(changed) : body,
    headers: { 'If-Match': `"${known.revision}"` },
  }
}
