import { findConflict } from '#site/stores/admin/event-conflict.ts'
import { beginDraft, restoreDraft } from './draft.ts'
import { EventConflict } from './EventConflict.tsx'
import { EventEditor } from './EventEditor.tsx'
import { UnsentNote } from './UnsentNote.tsx'

/** What is loaded by those who change the event, at once, and only by them. */
export const parts = { beginDraft, restoreDraft, findConflict, EventConflict, EventEditor, UnsentNote }
