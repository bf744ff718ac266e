import { beginDraft, eventDraft } from '#site/stores/admin/event-changes.ts'
import { EventConflict } from './EventConflict.tsx'
import { EventEditor, ScheduleNote } from './EventEditor.tsx'
import { UnsentNote } from './UnsentNote.tsx'

/** Everything that only editors of the event need, loaded as one chunk. */
export const parts = { beginDraft, eventDraft, EventConflict, EventEditor, ScheduleNote, UnsentNote }
