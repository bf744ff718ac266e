import { changeEvent } from '#site/stores/admin/event-changes.ts'
import { findConflict } from '#site/stores/admin/event-conflict.ts'
import { EventConflict } from './EventConflict.tsx'
import { EventEditor } from './EventEditor.tsx'
import { UnsentNote } from './UnsentNote.tsx'

/** What is loaded by those who change the event, at once, and only by them. */
export const parts = { changeEvent, findConflict, EventConflict, EventEditor, UnsentNote }
