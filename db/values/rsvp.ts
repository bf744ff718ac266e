import * as z from 'zod/mini'
import type { FeatureName } from './features.ts'
import { FAMILY_MEMBERS_MAXIMUM, MESSAGE_MAXIMUM } from './limits.ts'
import { prayerFields } from './prayer.ts'
import {
  absentWhenEmpty,
  atMost,
  calendarDay,
  emailAddress,
  idDigits,
  idText,
  listOf,
  pageSize,
  personName,
  storableText,
} from './schemas.ts'
import { fromTheList, volunteerRole } from './volunteer-role.ts'

const PHONE_MAXIMUM = 40

const VOLUNTEER_ROLES_MAXIMUM = 20

/** How many responses one write may change. A larger write would hold the lock for too long. */
export const WRITE_BATCH_SIZE = 200
/** How many responses one statement deletes or restores by their ids. */
export const NAMED_IDS_MAXIMUM = 1000
/** How many ids one call may name, as many as fit into a body. */
const IDS_MAXIMUM = 10_000

export const calendarTypes = ['google', 'ical'] as const
/** Why a response may be spam: the hidden field was filled in, the form was sent at once, or there was a flood. */
export const suspicions = ['hidden-field', 'too-fast', 'flood'] as const

export const ageGroups = ['adult', 'teen', 'child'] as const
export type AgeGroup = (typeof ageGroups)[number]

const ageGroup = z.enum(ageGroups, 'Choose adult, teen or child, or leave the age group open.')

const familyMember = z.object(
  {
    name: personName,
    age: absentWhenEmpty(ageGroup),
    attending: z._default(z.boolean('Say with true or false whether this person comes.'), true),
  },
  'A family member needs a name.',
)

const roleIds = listOf(
  z.int(fromTheList).check(z.positive(fromTheList)),
  VOLUNTEER_ROLES_MAXIMUM,
  fromTheList,
  `Choose at most ${VOLUNTEER_ROLES_MAXIMUM} roles.`,
)
export const tooManyMembers = `Add at most ${FAMILY_MEMBERS_MAXIMUM} family members.`
const members = listOf(familyMember, FAMILY_MEMBERS_MAXIMUM, 'Send the family members as a list.', tooManyMembers)

/** A visitor's response (specification, sections 3 and 5). */
export const rsvp = z.object({
  name: personName,
  email: emailAddress,
  phone: absentWhenEmpty(storableText('The phone number', PHONE_MAXIMUM)),
  message: absentWhenEmpty(storableText('The message', MESSAGE_MAXIMUM)),
  attending: z.boolean('Please choose whether you will attend.'),
  addToCalendar: z._default(absentWhenEmpty(z.boolean('Say with true or false whether to add it.')), false),
  calendarType: absentWhenEmpty(z.enum(calendarTypes, 'Choose google or ical.')),
  familyMembers: z._default(absentWhenEmpty(members), []),
  /** Ids of the roles offered. The same role twice counts once. */
  volunteerRoles: z._default(absentWhenEmpty(roleIds), []),
  /** The day of one of the next services, e.g. `2026-11-21`; by default the next one. */
  serviceDate: absentWhenEmpty(calendarDay),
  /** Whether the household comes for the first time. */
  firstVisit: absentWhenEmpty(z.boolean('Say with true or false whether it is the first visit.')),
  /** Whether to remind the sender by mail, the day before. */
  remind: absentWhenEmpty(z.boolean('Say with true or false whether to send a reminder.')),
})
export type Rsvp = z.output<typeof rsvp>
export type RsvpInput = z.input<typeof rsvp>

/** A response as an administrator enters it, e.g. from a telephone call. */
export const enteredRsvp = z.extend(rsvp, {
  /** Empty if the person has none. */
  email: z._default(absentWhenEmpty(emailAddress), ''),
})

/** Refuses the change of any other revision, see `revisionOf`. */
const onlyIfRevision = z.optional(z.union([z.literal('any'), z.array(z.int())]))

/** The fields of each feature, which are ignored while it is off. */
export const featureFields = {
  calendarIntegration: ['addToCalendar', 'calendarType'],
  familyRsvp: ['familyMembers'],
  volunteerSignup: ['volunteerRoles'],
} as const satisfies Record<FeatureName, readonly (keyof Rsvp)[]>

/** What a visitor sends: the response, and what else the form holds. */
export const rsvpRequest = z.extend(rsvp, {
  /** A hidden field that only bots fill in. The RSVP is accepted all the same. */
  website: z.catch(z.optional(z.string()), ''),
  /** Whether the household says yes for every week from this service on; ignored with a no. */
  standing: absentWhenEmpty(z.boolean('Say with true or false whether this is for every week.')),
  ...prayerFields,
})

/** A new response as an administrator enters it. */
export const enteredRequest = z.extend(enteredRsvp, { standing: rsvpRequest.shape.standing })

const storedMember = z.object({ name: z.string(), age: z.nullable(ageGroup), attending: z.boolean() })

/**
 * A response as an administrator reads it: the fields of the request under the same names, except for the roles, and those
 * that the site adds. `createdAt` is ISO 8601 in UTC, e.g. `2025-01-05T14:00:00.000Z`.
 */
export const storedRsvp = z.object({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  phone: z.nullable(z.string()),
  message: z.nullable(z.string()),
  attending: z.boolean(),
  addToCalendar: z.boolean(),
  calendarType: z.nullable(z.enum(calendarTypes)),
  createdAt: z.string(),
  /** When it was deleted, in the same format; null if it is not. */
  deletedAt: z.nullable(z.string()),
  suspicion: z.nullable(z.enum(suspicions)),
  familyMembers: z.array(storedMember),
  volunteerSignups: z.array(z.object({ role: volunteerRole })),
  /** The day of the service that it is for, e.g. `2026-11-21`. */
  serviceDate: z.string(),
  /** When the sender or an administrator last changed it; null if never. */
  changedAt: z.nullable(z.string()),
  /** If a merge deleted it: the id of the response that was kept, otherwise null. */
  mergedInto: z.nullable(z.int()),
  /** Whether it was written from a standing RSVP, or began one. */
  standing: z.boolean(),
  firstVisit: z.boolean(),
  remind: z.boolean(),
} satisfies Record<Exclude<keyof Rsvp, 'volunteerRoles'>, z.ZodMiniType> & Record<string, z.ZodMiniType>)
export type StoredRsvp = z.output<typeof storedRsvp>
export const storedRsvps = z.array(storedRsvp)

/** The public part of a response. */
const publicRsvp = z.pick(storedRsvp, { id: true, name: true, attending: true, createdAt: true })
export type PublicRsvp = z.output<typeof publicRsvp>
export const publicRsvps = z.array(publicRsvp)

export const rsvpId = z.object({ id: idText })

/** Changed fields, which are checked later, together with the stored ones. */
export const entryChange = z.looseObject({ id: idText, onlyIfRevision })

export type TablePage = {
  responses: StoredRsvp[]
  /** How many responses match, on all pages. */
  total: number
  /** How many of them are on earlier pages. */
  ahead: number
  /** The number of the page, from 1. */
  page: number
  /** The highest id that matches; responses with a higher one came later. */
  newest: number
}

/** The responses deleted last, and the number of all that can be restored. */
export const deletedRsvps = z.object({
  responses: storedRsvps,
  total: z.int(),
})
export type DeletedRsvps = z.output<typeof deletedRsvps>

/** RSVPs of one person for one service: the newest, and the ids of the superseded ones, in ascending order. */
type Duplicates = { id: number; name: string; email: string; serviceDate: string; superseded: number[] }
/** The duplicates that a screen shows; `total` counts all people with duplicates. */
export type SomeDuplicates = { duplicates: Duplicates[]; total: number }
/** `marked` are the ids of the rows of a page that are superseded, and of those that supersede others. */
export type ShownDuplicates = SomeDuplicates & { marked: { superseded: number[]; newest: number[] } }

/** A person who should hear that a service is skipped. */
export type ToCall = Pick<StoredRsvp, 'id' | 'name' | 'phone' | 'email'>

export const rsvpIds = z.object({
  ids: z
    .array(z.int('Give ids as a list of ids.'), 'Give ids as a list of ids.')
    .check(atMost(IDS_MAXIMUM, `Name at most ${IDS_MAXIMUM} at once.`)),
})

/** Identifies everything that one person sent. */
export const erasure = z.object({ email: emailAddress })
export const erasureRequest = z.extend(erasure, { confirmed: z._default(z.boolean(), false) })

// Ways to select RSVPs: by a filter, as a page of a list, or as a selection in it.

const RSVPS_PAGE_MAXIMUM = 1000
const SEARCH_MAXIMUM = 200

const attendances = ['attending', 'not-attending'] as const
/** The orders of the administration's table. */
const sortings = ['newest', 'oldest', 'name'] as const
export type Sorting = (typeof sortings)[number]

/** Filters responses by status, and by service. */
const publicFilter = z.object({
  status: z.optional(z.enum(attendances, 'A status is attending or not-attending.')),
  /** Only those for the service on this day. */
  week: absentWhenEmpty(calendarDay),
  /** Of households that come every week, only the responses for services up to this day. */
  standingUntil: absentWhenEmpty(calendarDay),
})

/** Adds filters for administrators: only deleted responses, or everything from one person. */
export const rsvpFilter = z.extend(publicFilter, {
  deleted: z.optional(z.literal('true', 'Give deleted=true, or leave it out.')),
  /** Everything that is stored with this address, including deleted responses. */
  email: z.optional(rsvp.shape.email),
})

/** Adds the searches of an administrator's lists. */
export const rsvpSearch = z.extend(rsvpFilter, {
  /** Words that must all be found, see `matches`. */
  q: absentWhenEmpty(storableText('The search', SEARCH_MAXIMUM)),
  /** Only those who attend and offered to fill this role. */
  role: absentWhenEmpty(idDigits),
  /** Only those that may be spam. */
  suspicious: absentWhenEmpty(z.literal('true', 'Give suspicious=true, or leave it out.')),
  /** Only the response with this id and its duplicates. */
  same: absentWhenEmpty(idDigits),
  /** Only those of households that come every week. */
  standing: absentWhenEmpty(z.literal('true', 'Give standing=true, or leave it out.')),
})
export type RsvpSearch = z.output<typeof rsvpSearch>

/** A page, newest first: at most `limit` responses, with ids below `before`. */
const page = { limit: z._default(pageSize(RSVPS_PAGE_MAXIMUM), 200), before: z.optional(idText) }
export const pageRequest = z.extend(rsvpSearch, page)
export const publicPageRequest = z.extend(publicFilter, page)

/** A page of the administration's table; the first is 1. */
export const tableRequest = z.extend(z.omit(rsvpSearch, { deleted: true, email: true }), {
  sort: z._default(absentWhenEmpty(z.enum(sortings, 'Sort by newest, oldest or name.')), 'newest'),
  page: z.optional(idText),
})
export type TableRequest = z.output<typeof tableRequest>

const shownIds = z
  .array(z.int('Give except as a list of ids.'), 'Give except as a list of ids.')
  .check(atMost(RSVPS_PAGE_MAXIMUM, `Leave out at most ${RSVPS_PAGE_MAXIMUM}.`))

/** Everything that a filter finds, except responses newer than those on the screen. */
export const rsvpSelection = z.extend(z.omit(rsvpSearch, { deleted: true, email: true }), {
  newest: z.int('Give newest: the highest id that was shown.'),
  except: z._default(shownIds, []),
})
