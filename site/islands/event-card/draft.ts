import type { EventContent } from '#db/event/content.ts'
import { readSession, writeSession } from '#site/lib/session.ts'
import { $event, decodeEvent, type EventStore, isContent } from '#site/stores/event.ts'

/** Texts of the event that are being typed, and the store that they were made of. */
export type EventDraft = { texts: EventContent; begun: EventStore }

/** Where the draft waits until it is confirmed or cancelled: for this tab (session storage). */
const DRAFT = 'event-draft'

/** The draft of this tab, or else a new one of what is shown. */
export function beginDraft(): EventDraft | undefined {
  const begun = $event.get()
  return restoreDraft() ?? (begun.content ? { texts: begun.content, begun } : undefined)
}

/** What another program, or an older version, left under the same name counts as nothing. */
export function restoreDraft(): EventDraft | undefined {
  try {
    const { texts, begun } = JSON.parse(readSession(DRAFT))
    return isContent(texts) ? { texts, begun: decodeEvent(JSON.stringify(begun)) } : undefined
  } catch {
    return undefined
  }
}

export function keepDraft(draft: EventDraft): void {
  writeSession(DRAFT, JSON.stringify(draft))
}

export function forgetDraft(): void {
  writeSession(DRAFT, '')
}
