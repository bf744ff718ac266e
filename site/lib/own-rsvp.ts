import type { ReturnedForm } from './rsvp-form.ts'

/** The form of a private link that came back without JavaScript; `revision` is what the next change is based on. */
export type ReturnedOwnForm = ReturnedForm & { revision: string }

/** The field that says what a change is based on. */
export const REVISION = 'revision'
