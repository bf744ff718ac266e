import { atom } from 'nanostores'
import type { PublicRsvp } from '#db/rsvp/schema.ts'

/** The RSVPs submitted on this page since it was opened, newest first: the list shows them at once. */
export const $ownRsvps = atom<(PublicRsvp & { serviceDate: string | undefined })[]>([])
