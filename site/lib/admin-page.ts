import type { Church } from '#db/church/schema.ts'
import type { EventContent } from '#db/event/content.ts'
import type { EventLanguages } from '#db/event/schema.ts'
import type { Features } from '#db/feature/schema.ts'
import type { ShownDuplicates, Sorting, TablePage, ToCall } from '#db/rsvp/schema.ts'
import type { CurrentSchedule } from '#db/schedule/schema.ts'
import type { Settings } from '#db/settings/schema.ts'
import type { OfferedRole } from '#db/volunteer-role/schema.ts'

/** What the server sends with the administration. What is undefined it could not read. */
export type AdminPage = {
  /** What the table shows, as the address says it. */
  view: ResponsesView
  /** The day of the service that it is about; undefined for all of them. */
  week?: string | undefined
  page?: TablePage | undefined
  /** With the ids of the rows of this page that are superseded. */
  duplicates?: ShownDuplicates | undefined
  counts?: { attending: number; notAttending: number } | undefined
  /** Whom to tell that the service is skipped. */
  toCall?: ToCall[] | undefined
  /** Whether people can still respond for what is shown. */
  inviting: boolean
  /** The days of the services that a response can be entered for, the nearest first. */
  days: { next: string[]; past: string[] }
  features?: Features | undefined
  roles?: OfferedRole[] | undefined
  settings?: Settings | undefined
  church?: Church | undefined
  schedule?: CurrentSchedule | undefined
  /** The event's own texts, which may contradict the schedule. */
  event?: EventContent | undefined
  languages?: EventLanguages | undefined
  /** In the time zone of the schedule. */
  today: string
  /** How many responses there are for services to come. */
  upcoming: number
  /** Open mode: there is no sign-in. */
  open: boolean
  shareLink: string
  zone: string
  restorableDays: number
}

export const adminTabs = ['responses', 'settings', 'share'] as const
export type AdminTab = (typeof adminTabs)[number]

/** The tab that an address names; the responses if it names no existing tab. */
export function adminTabFrom(searchParams: URLSearchParams): AdminTab {
  const requested = searchParams.get('tab')
  return adminTabs.find((tab) => tab === requested) ?? 'responses'
}

/** What the administration's table shows, as the address names it. */
export type ResponsesView = {
  /** `this`, `next`, `last`, `all` or the day of a service; for the calls always a day. */
  week?: string | undefined
  q?: string | undefined
  status?: 'attending' | 'not-attending' | undefined
  role?: string | undefined
  suspicious?: 'true' | undefined
  /** The id of a response, of which only the duplicates are shown. */
  same?: string | undefined
  sort?: Sorting | undefined
}

/** A page beside this one: it begins in front of or behind a row. */
export type PagePlace = { before: number } | { after: number }

/** The names of what an address asks for and the view could not follow, e.g. `status` of `?status=perhaps`. */
export function namesLeftOut(view: ResponsesView, searchParams: URLSearchParams): string[] {
  const names = ['week', 'q', 'status', 'role', 'suspicious', 'same', 'sort'] as const
  return names.filter((name) => {
    const asked = searchParams.get(name)?.trim() ?? ''
    // The usual order is not part of a view.
    return asked !== '' && view[name] === undefined && !(name === 'sort' && asked === 'newest')
  })
}

/** The address of a view, at its first page unless a place says otherwise. */
export function viewAddress(view: ResponsesView, place?: PagePlace): string {
  return addressOf('/admin', { ...view, ...place })
}

/** The address of all that a view shows, as a page to print. */
export function printAddress(view: ResponsesView): string {
  return `/api/rsvps/print?${queryOf(view)}`
}

/** The query of what the table is filtered by, for the calls that take the same. */
export function filterQuery({ sort: _, ...filter }: ResponsesView): string {
  return queryOf(filter)
}

/** Whether the table shows less than all of its week. */
export function isFiltered({ week: _, ...view }: ResponsesView): boolean {
  return filterQuery(view) !== ''
}

/** Whether it shows the duplicates of one response, and all of them. */
export function showsDuplicates({ same, ...view }: ResponsesView): boolean {
  return same !== undefined && !isFiltered(view)
}

/** The page with everything that is printed for one service. */
export const SHEET = '/admin/sheet'

/** What the page shows: the service of a week, with or without what people wrote. */
export type SheetView = { week?: string | undefined; messages?: 'no' | undefined }

export function sheetAddress({ week, messages }: SheetView): string {
  return addressOf(SHEET, { week, messages })
}

/** The page that invites whoever passes by, to print. */
export const POSTER = '/admin/poster'

function addressOf(path: string, fields: Record<string, string | number | undefined>): string {
  const query = queryOf(fields)
  return query === '' ? path : `${path}?${query}`
}

function queryOf(fields: Record<string, string | number | undefined>): string {
  const named = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '')
  return new URLSearchParams(named.map(([name, value]) => [name, String(value)])).toString()
}
