import { atom } from 'nanostores'
import type { PublicRsvp } from '#db/values/rsvp.ts'
import type { KeptRsvp } from '#site/lib/outbox.ts'
import type { Recorded } from '#site/lib/recorded.ts'

/** `coming` is the number of people of the household who attend. */
export type OwnRsvp = PublicRsvp & { serviceDate: string | undefined; coming: number }

/** The RSVPs submitted on this page since it was opened, newest first: the list shows them at once. */
export const $ownRsvps = atom<OwnRsvp[]>([])

/** The RSVPs that this device keeps because it was offline. The code that reads and sends them loads later. */
export const $keptRsvps = atom<KeptRsvp[]>([])

/** The sent RSVP that the page shows in place of its form. `isNew` if it was sent from that form just now. */
export const $thanks = atom<{ recorded: Recorded; isNew: boolean; isRemembered: boolean } | undefined>()
