import { atom } from 'nanostores'
import type { KeptRsvp } from '#site/lib/outbox.ts'

/** The RSVPs that this device keeps because it was offline. The code that reads and sends them is loaded later. */
export const $keptRsvps = atom<KeptRsvp[]>([])
