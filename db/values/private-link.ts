import * as z from 'zod/mini'
import { audiences } from './prayer.ts'
import { storedRsvp } from './rsvp.ts'
import { absentWhenEmpty, calendarDay, emailAddress } from './schemas.ts'

/** `week` is the day of a service, e.g. `2026-12-05`: one of a household that comes every week, by default the next. */
export const linkedWeek = z.object({ week: absentWhenEmpty(calendarDay) })
export const linkRequest = z.extend(linkedWeek, { linkSecret: z.optional(z.string()) })

/** The address to which the private links of its RSVPs are sent. */
export const linkWish = z.object({ email: emailAddress })

/** Adds some of the form's fields, which are checked together with the stored ones. */
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
  /** How many of the household come by this link; 0 if it has said no, or switched the week off. */
  people: z.int(),
  /** The names of the roles that it fills. */
  roles: z.array(z.string()),
  /** Who decides about the week: this link; another RSVP of the household; or the church, which has deleted it. */
  decidedBy: z.enum(['link', 'another RSVP', 'church']),
})
export type OwnWeek = z.output<typeof ownWeek>

/** What a household has said for every week. */
const ownStanding = z.object({
  since: z.string(),
  /** When it ends unless the household changes something, or says that it still comes. */
  endsAt: z.string(),
  weeks: z.array(ownWeek),
  /** The path of the calendar that belongs to this link; null while it is off. */
  calendar: z.nullable(z.string()),
  /** Whether any link of the household has a calendar. */
  hasCalendar: z.boolean(),
})
export type OwnStanding = z.output<typeof ownStanding>

/** An RSVP as its sender sees it: without its id, which would reveal how many there are. */
export const ownRsvp = z.extend(sent, {
  /** When its sender withdrew it, otherwise null. */
  withdrawnAt: z.nullable(z.string()),
  /** When the link stops working: at the end of the service. For every week, the end of the last week in the list. */
  endsAt: z.string(),
  /** Only while the form asks for prayer requests. */
  prayer: z.optional(z.nullable(z.string())),
  prayerAudience: z.optional(z.nullable(z.enum(audiences))),
  /** Null for the RSVP of a single service. */
  standing: z.nullable(ownStanding),
})
export type OwnRsvp = z.output<typeof ownRsvp>
