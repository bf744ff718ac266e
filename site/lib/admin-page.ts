import type { Account } from '#db/values/access.ts'
import type { Church } from '#db/values/church.ts'
import type { EventLanguages } from '#db/values/event.ts'
import type { EventContent } from '#db/values/event-content.ts'
import type { Features } from '#db/values/features.ts'
import type { ShownDuplicates, Sorting, TablePage, ToCall } from '#db/values/rsvp.ts'
import type { CurrentSchedule } from '#db/values/schedule.ts'
import type { Settings } from '#db/values/settings.ts'
import type { OfferedRole } from '#db/values/volunteer-role.ts'

/** The data that the server sends with the administration. Undefined parts could not be read. */
export type AdminPage = {
  /** What the caller may use; nothing else is drawn. */
  tabs: AdminTab[]
  /** The ids of the panels on the tab Settings. */
  sections: string[]
  /** Whether the caller sees the responses, and not only their numbers. */
  seesResponses: boolean
  /** Why passkeys are not offered, if they are not. */
  noPasskeys?: string | undefined
  /** Who is signed in; undefined in open mode. */
  administrator?: { id: number; name: string } | undefined
  account?: Account | undefined
  view: ResponsesView
  /** The date of the shown service; undefined for all services. */
  week?: string | undefined
  page?: TablePage | undefined
  /** Includes the ids of the superseded rows of this page. */
  duplicates?: ShownDuplicates | undefined
  /** How many responses do not count, because their senders have sent others since. */
  superseded: number
  /** People to tell that the service is skipped. */
  toCall?: ToCall[] | undefined
  /** Whether visitors can still respond for the shown service. */
  inviting: boolean
  /** The services for which a response can be entered, the nearest first. */
  days: { next: string[]; past: string[] }
  /** Why nothing is removed by date, and what to do. */
  doubt?: string | undefined
  features?: Features | undefined
  roles?: OfferedRole[] | undefined
  settings?: Settings | undefined
  /** The address that the settings of the server give: it cannot be changed here. */
  givenPublicUrl?: string | undefined
  church?: Church | undefined
  schedule?: CurrentSchedule | undefined
  /** The event's own texts. */
  event?: EventContent | undefined
  languages?: EventLanguages | undefined
  /** In the time zone of the schedule. */
  today: string
  /** How many responses for services to come move along if the weekday changes. */
  upcoming: number
  /** Whether a mail server is set. */
  sendsMail: boolean
  /** Open mode: there is no sign-in. */
  open: boolean
  shareLink: string
  zone: string
  restorableDays: number
  /** How commands begin, e.g. `npx rsvp`. */
  rsvpCommand: string
}

/** The tabs, each with a page or a call: it is for those who may use that. */
export const adminTabs = {
  responses: 'GET /admin',
  settings: 'GET /api/account',
  share: 'GET /admin/poster',
} as const
export type AdminTab = keyof typeof adminTabs

/** The tab that an address names; the responses if it names none of these tabs. */
export function adminTabFrom(searchParams: URLSearchParams, tabs = keysOf(adminTabs)): AdminTab {
  const requested = searchParams.get('tab')
  return tabs.find((tab) => tab === requested) ?? 'responses'
}

export function keysOf<Key extends string>(table: Record<Key, unknown>): Key[] {
  return Object.keys(table) as Key[]
}

/** The section of the settings about the caller. */
export const ACCOUNT = '/admin?tab=settings#account'

/** What the administration's table shows; the names are those in the query of its address. */
export type ResponsesView = {
  /** `this`, `next`, `last`, `all` or the date of a service; calls always have a date. */
  week?: string | undefined
  q?: string | undefined
  status?: 'attending' | 'not-attending' | undefined
  role?: string | undefined
  suspicious?: 'true' | undefined
  /** Only households that come every week. */
  standing?: 'true' | undefined
  sort?: Sorting | undefined
}

export function viewAddress(view: ResponsesView, page = 1): string {
  return addressOf('/admin', { ...view, page: page === 1 ? undefined : page })
}

/** The filters of the table, for calls that take the same. */
export function filterQuery({ sort: _, ...filter }: ResponsesView): string {
  return queryOf(filter)
}

/** Whether the table shows less than all of its week. */
export function isFiltered({ week: _, ...view }: ResponsesView): boolean {
  return filterQuery(view) !== ''
}

/** The page with everything to print for one service. */
export const SHEET = '/admin/sheet'

/** The service of a week, with or without the messages of the responses. */
export type SheetView = { week?: string | undefined; messages?: 'no' | undefined }

export function sheetAddress({ week, messages }: SheetView): string {
  return addressOf(SHEET, { week, messages })
}

/** A poster to print, with the invitation. */
export const POSTER = '/admin/poster'

/** The page of prayer requests. */
export const PRAYERS = '/admin/prayers'

function addressOf(path: string, fields: Record<string, string | number | undefined>): string {
  const query = queryOf(fields)
  return query === '' ? path : `${path}?${query}`
}

/** The query of an address, without fields that are empty. */
function queryOf(fields: Record<string, string | number | undefined>): string {
  const named = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '')
  return new URLSearchParams(named.map(([name, value]) => [name, String(value)])).toString()
}
