import { atom } from 'nanostores'
import type { PublicRsvp } from '#db/values/rsvp.ts'
import type { KeptRsvp } from '#site/lib/outbox.ts'
import type { Recorded } from '#site/lib/recorded.ts'

/** `coming` is the number of household members who attend. */
export type OwnRsvp = PublicRsvp & { serviceDate: string | undefined; coming: number }

/** The RSVPs submitted since the page was opened, newest first. The list shows them at once. */
export const $ownRsvps = atom<OwnRsvp[]>([])

/** The RSVPs that this device keeps because it was offline. `kept-rsvps.ts`, which loads later, reads and sends them. */
export const $keptRsvps = atom<KeptRsvp[]>([])

/** The sent RSVP that the page shows instead of its form. `isNew` if it has just been sent from the form. */
export const $thanks = atom<{ recorded: Recorded; isNew: boolean; isRemembered: boolean } | undefined>()
