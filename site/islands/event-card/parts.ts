import { findConflict } from '#site/stores/admin/event-conflict.ts'
import { ContradictionNote } from './ContradictionNote.tsx'
import { beginDraft, restoreDraft } from './draft.ts'
import { EventConflict } from './EventConflict.tsx'
import { EventEditor, toSchedule } from './EventEditor.tsx'
import { UnsentNote } from './UnsentNote.tsx'

/** Everything that only editors of the event need, loaded as one chunk. */
export const parts = {
  beginDraft,
  restoreDraft,
  findConflict,
  toSchedule,
  ContradictionNote,
  EventConflict,
  EventEditor,
  UnsentNote,
}
