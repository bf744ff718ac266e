import type { EventContent } from '#db/event/content.ts'
import type { EventStore, EventSync } from '#site/stores/event.ts'
import { resolveConflict, resolveTabs } from './event-changes.ts'

/** Another version of the event, between which and the one that is shown the editor chooses, and what ends that. */
export type Conflict = {
  theirs: EventContent
  /** The same as text, because a write of another tab arrives as a new object. */
  key: string
  /** It was typed in another tab of this browser, not by another administrator. */
  inOtherTab: boolean
  resolve: (chosen: EventContent) => Promise<void>
}

export function findConflict({ unsent, others = [] }: EventStore, sync: EventSync): Conflict | undefined {
  if (!unsent) return undefined
  const [other] = others
  if (other !== undefined)
    return {
      theirs: other,
      key: JSON.stringify(other),
      inOtherTab: true,
      resolve: (chosen) => resolveTabs(chosen, other),
    }
  if (sync.state !== 'conflict') return undefined
  const { theirs } = sync
  return {
    theirs: theirs.content,
    key: JSON.stringify(theirs.content),
    inOtherTab: false,
    resolve: (chosen) => resolveConflict(chosen, theirs),
  }
}
