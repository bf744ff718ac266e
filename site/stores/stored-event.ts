import { toContent } from '#db/event/content.ts'
import { request, revisionOf } from '#site/lib/request.ts'
import type { KnownEvent } from './event.ts'

/** What the server has; undefined where nothing is stored yet. */
export async function readStoredEvent(): Promise<KnownEvent | undefined> {
  const response = await request('GET /api/event')
  const stored = await response.json()
  return stored === null ? undefined : { content: toContent(stored), revision: revisionOf(response) }
}
