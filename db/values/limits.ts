// Not in rsvp.ts, because the form shows them before the schema has loaded.

export const FAMILY_MEMBERS_MAXIMUM = 20

/** In UTF-16 code units. */
export const MESSAGE_MAXIMUM = 2000

/** `atOnce` at first, then one every `everyMs` ms. */
export type Allowance = { atOnce: number; everyMs: number }
