/** `atOnce` at first, then one every `everyMs` ms. */
export type Allowance = { atOnce: number; everyMs: number }
