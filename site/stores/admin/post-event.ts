import type { EventContent } from '#db/event/content.ts'
import { toPayload } from '#db/event/payload.ts'
import type { EventPayload } from '#db/event/schema.ts'
import { differing } from '#site/lib/differing.ts'
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

function postOf(texts: EventPayload, known: KnownEvent | undefined): Options<'POST /api/event'> {
  if (known === undefined) return { body: texts, headers: { 'If-None-Match': '*' } }
  const before = toPayload(known.content)
  const body = { ...emptied(before, texts), ...texts }
  if (known.revision === undefined) return { body }
  const changed = differing(body, before)
  // Saving without a change is sent as well, as specified.
  return {
    body: Object.keys(changed).length > 0 ? changed : body,
    headers: { 'If-Match': `"${known.revision}"` },
  }
}

/** What is left out stays as it is stored: an optional text that was removed is sent as an empty one. */
function emptied(before: EventPayload, texts: EventPayload): Record<string, string> {
  const gone = Object.keys(before).filter((name) => !(name in texts))
  return Object.fromEntries(gone.map((name) => [name, '']))
}
