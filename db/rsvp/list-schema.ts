import * as z from 'zod/mini'
import { rsvp } from '#db/rsvp/schema.ts'
import { absentWhenEmpty, atMost, calendarDay, idDigits, idText, storableText } from '#db/values/schemas.ts'

// Which RSVPs are meant: by a filter, as a page of a list, or as a selection in it.

const RSVPS_PAGE_MAXIMUM = 1000
const SEARCH_MAXIMUM = 200

const pageSize = `A page size is a whole number from 1 to ${RSVPS_PAGE_MAXIMUM}.`
const pageLimit = z.coerce
  .number(pageSize)
  .check(z.refine((size) => Number.isInteger(size) && size >= 1 && size <= RSVPS_PAGE_MAXIMUM, pageSize))

const attendances = ['attending', 'not-attending'] as const
/** The orders of the administration's table. */
const sortings = ['newest', 'oldest', 'name'] as const
export type Sorting = (typeof sortings)[number]

/** Filters responses by status, by a moment since which they came (ISO 8601 in UTC), and by service. */
const publicFilter = z.object({
  status: z.optional(z.enum(attendances, 'A status is attending or not-attending.')),
  since: z.optional(z.iso.datetime('Give since as a moment in UTC, e.g. 2026-11-21T00:00:00Z.')),
  /** Only those for the service on this day. */
  week: absentWhenEmpty(calendarDay),
})

/** What an administrator can ask for as well: the deleted ones instead, or everything of one person. */
export const rsvpFilter = z.extend(publicFilter, {
  deleted: z.optional(z.literal('true', 'Give deleted=true, or leave it out.')),
  /** Includes the deleted ones: all that is stored with this address. */
  email: z.optional(rsvp.shape.email),
})
export type RsvpFilter = z.output<typeof rsvpFilter>

/** What can be looked for in the lists of an administrator as well. */
export const rsvpSearch = z.extend(rsvpFilter, {
  /** Words that all have to be found, as `matches` finds them. */
  q: absentWhenEmpty(storableText('The search', SEARCH_MAXIMUM)),
  /** Only those who offered to fill this role. */
  role: absentWhenEmpty(idDigits),
  /** Only those that may be spam. */
  suspicious: absentWhenEmpty(z.literal('true', 'Give suspicious=true, or leave it out.')),
  /** Only the response with this id and its duplicates. */
  same: absentWhenEmpty(idDigits),
})
export type RsvpSearch = z.output<typeof rsvpSearch>

/** Which page of them, newest first: at most `limit`, only those older than the id `before`. */
const page = { limit: z._default(pageLimit, 200), before: z.optional(idText) }
export const pageRequest = z.extend(rsvpSearch, page)
export const publicPageRequest = z.extend(publicFilter, page)

/**
 * Which page of the administration's table: the first one, or the one in front of or behind a response, as `before` and
 * `after` say in the ascending order of moments or names. So `before` means the older ones also where the newest come first.
 */
export const tableRequest = z.extend(z.omit(rsvpSearch, { deleted: true, email: true, since: true }), {
  sort: z._default(absentWhenEmpty(z.enum(sortings, 'Sort by newest, oldest or name.')), 'newest'),
  before: z.optional(idText),
  after: z.optional(idText),
})
export type TableRequest = z.output<typeof tableRequest>

const shownNewest = 'Give newest: the highest id that was shown.'
const shownCount = 'Give count: how many were shown.'
const shownFingerprint = 'Give fingerprint: the one of what was shown.'
const shownIds = z
  .array(z.int('Give except as a list of ids.'), 'Give except as a list of ids.')
  .check(atMost(RSVPS_PAGE_MAXIMUM, `Leave out at most ${RSVPS_PAGE_MAXIMUM}.`))

/**
 * Names everything that a filter finds, as an administrator was shown it: nothing that came in later, and nothing at all
 * where something else matches by now.
 */
export const rsvpSelection = z.extend(z.omit(rsvpSearch, { deleted: true, email: true, since: true }), {
  newest: z.int(shownNewest),
  /** Without those in `except`. */
  count: z.int(shownCount),
  /** With them. */
  fingerprint: z.int(shownFingerprint),
  except: z._default(shownIds, []),
})
