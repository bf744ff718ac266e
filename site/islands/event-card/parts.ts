import { findConflict } from '#site/stores/admin/event-conflict.ts'
import { beginDraft, restoreDraft } from './draft.ts'
import { EventConflict } from './EventConflict.tsx'
import { EventEditor, ScheduleNote } from './EventEditor.tsx'
import { UnsentNote } from './UnsentNote.tsx'

/** Everything that only editors of the event need, loaded as one chunk. */
export const parts = {
  beginDraft,
  restoreDraft,
  findConflict,
  EventConflict,
  EventEditor,
  ScheduleNote,
  UnsentNote,
}
