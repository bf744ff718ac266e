import { EntryDialog } from './EntryDialog.tsx'

/** What is needed once a response is added or changed, loaded as one chunk. */
export const parts = { EntryDialog }
