import * as z from 'zod/mini'
import { audiences } from './prayer.ts'
import { storedRsvp } from './rsvp.ts'
import { absentWhenEmpty, calendarDay, emailAddress } from './schemas.ts'

/** `week` is the day of a service of a household that comes every week, e.g. `2026-12-05`; by default the next one. */
export const linkedWeek = z.object({ week: absentWhenEmpty(calendarDay) })
export const linkRequest = z.extend(linkedWeek, { linkSecret: z.optional(z.string()) })

/** The address to which the private links of its RSVPs are sent. */
export const linkWish = z.object({ email: emailAddress })

/** Changed fields of the form, which are checked later, together with the stored ones. */
export const linkChange = z.looseObject({
  ...linkRequest.shape,
  everyWeek: absentWhenEmpty(z.boolean('Say with true or false whether this is for every week.')),
})

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

/** A coming service of a household that comes every week. */
const ownWeek = z.object({
  date: z.string(),
  /** How many people of the household come by this link; 0 after a no, or if the week is switched off. */
  people: z.int(),
  /** The names of the roles that the household fills. */
  roles: z.array(z.string()),
  /** Who decides about the week: this link; another RSVP of the household; or the church, which has deleted it. */
  decidedBy: z.enum(['link', 'another RSVP', 'church']),
})
export type OwnWeek = z.output<typeof ownWeek>

/** The standing RSVP of a household. */
const ownStanding = z.object({
  since: z.string(),
  /** When it ends unless the household changes or confirms something. */
  endsAt: z.string(),
  /** Once the household has ended it: the day of the last service at which it counted, null if there was none. */
  countedUntil: z.optional(z.nullable(z.string())),
  weeks: z.array(ownWeek),
  /** The path of the calendar of this link; null while it is off. */
  calendar: z.nullable(z.string()),
  /** Whether any link of the household has a calendar. */
  hasCalendar: z.boolean(),
})
export type OwnStanding = z.output<typeof ownStanding>

/** An RSVP as its sender sees it, without its id, which would reveal how many RSVPs there are. */
export const ownRsvp = z.extend(sent, {
  /** When the sender withdrew it or ended "every week", otherwise null. */
  withdrawnAt: z.nullable(z.string()),
  /** When the link stops working: at the end of the service, or of the last week in the list of a standing RSVP. */
  endsAt: z.string(),
  /** Only while the form asks for prayer requests. */
  prayer: z.optional(z.nullable(z.string())),
  prayerAudience: z.optional(z.nullable(z.enum(audiences))),
  /** Null for the RSVP of a single service. */
  standing: z.nullable(ownStanding),
})
export type OwnRsvp = z.output<typeof ownRsvp>
