import * as z from 'zod/mini'
import { type OnlyIfRevision, onlyIfRevision, type rsvpRequest, storedRsvp } from '#db/rsvp/schema.ts'
import { emailAddress } from '#db/values/schemas.ts'

export const linkRequest = z.object({ linkSecret: z.optional(z.string()) })

/** The address to which the private links of its RSVPs are sent. */
export const linkWish = z.object({ email: emailAddress }, 'Send the email address as a JSON object.')

/** Adds some of the form's fields, which are checked together with the stored ones. */
export const linkChange = z.looseObject(
  { linkSecret: z.optional(z.string()), onlyIfRevision },
  'Send what changes as a JSON object.',
)
export type LinkChange = Partial<z.input<typeof rsvpRequest>> & z.input<typeof linkRequest> & OnlyIfRevision

const sent = z.pick(storedRsvp, {
  name: true,
  email: true,
  phone: true,
  message: true,
  attending: true,
  addToCalendar: true,
  calendarType: true,
  familyMembers: true,
  volunteerSignups: true,
  serviceDate: true,
  createdAt: true,
  changedAt: true,
  firstVisit: true,
  remind: true,
})

/** An RSVP as its sender sees it: without its id, which would reveal how many there are. */
export const ownRsvp = z.extend(sent, {
  /** When its sender withdrew it, otherwise null. */
  withdrawnAt: z.nullable(z.string()),
  /** When the link stops working: at the end of the service. */
  endsAt: z.string(),
})

/** `revision` is the one that a change can require. */
export type OwnRevision = { rsvp: z.output<typeof ownRsvp>; revision: number }
