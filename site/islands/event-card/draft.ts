import type { EventContent } from '#db/event/content.ts'
import { readSession, writeSession } from '#site/lib/session.ts'
import { $event, decodeEvent, type EventStore, isContent } from '#site/stores/event.ts'

/** Texts of the event that are being edited, and the state of the store when the edit began. */
export type EventDraft = {
  texts: EventContent
  begun: EventStore
  /** Whether to focus the first field: after Edit was pressed, not after a reload. */
  takeFocus?: boolean
}

/** Key in session storage: the draft stays in its tab until it is confirmed or canceled. */
const DRAFT = 'event-draft'

/** Returns the draft of this tab, or a new one of the current event. */
export function beginDraft(): EventDraft | undefined {
  const begun = $event.get()
  const draft = restoreDraft() ?? (begun.content ? { texts: begun.content, begun } : undefined)
  return draft && { ...draft, takeFocus: true }
}

/** Ignores what another program or an older version stored under the same key. */
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
