import { floodText, listFloods } from '#db/access/floods.ts'
import { findDrillTrouble } from '#db/backup/copies/history.ts'
import { getCalendarLinks } from '#db/calendar/operations.ts'
import type { CalendarLinks } from '#db/calendar/schema.ts'
import { getChurch } from '#db/church/operations.ts'
import { doubtSentence, findDoubt } from '#db/clock/clock.ts'
import { UserError } from '#db/errors.ts'
import { toContent } from '#db/event/content.ts'
import { defaultEvent } from '#db/event/default-event.ts'
import { getEvent, getStoredEvent } from '#db/event/operations.ts'
import type { StoredEvent } from '#db/event/schema.ts'
import { getEventLanguages } from '#db/event/translations.ts'
import { getFeatures } from '#db/feature/operations.ts'
import type { Call } from '#db/operation.ts'
import { hashOfLinkSecret } from '#db/private-link/secret.ts'
import { earliestMoved } from '#db/rsvp/change-schedule.ts'
import { countByWeek, countRsvps } from '#db/rsvp/counts.ts'
import { type EnterableDays, listEnterableDays } from '#db/rsvp/entry/service-days.ts'
import { listRsvps } from '#db/rsvp/list/operations.ts'
import type { RsvpPage } from '#db/rsvp/list/read-page.ts'
import { getTablePage } from '#db/rsvp/list/table-page.ts'
import { listVolunteerRoles } from '#db/rsvp/roles.ts'
import { publicRsvps } from '#db/rsvp/schema.ts'
import { findThankedRsvp } from '#db/rsvp/submit/thanks.ts'
import { getSchedule } from '#db/schedule/operations.ts'
import { getSettings, getShownNames } from '#db/settings/operations.ts'
import { findUncountedService } from '#db/turnout/operations.ts'
import { idText } from '#db/values/schemas.ts'
import { dayIn, serverTimeZone } from '#db/values/time-zone.ts'
import { LISTED_RSVPS } from '#site/lib/share-view.ts'
import { formatMoment } from '#site/texts/dates.ts'
import { loadDuplicates } from './load-duplicates.ts'
import { orNull } from './or-null.ts'
import { placeFrom, viewFrom } from './responses-view.ts'
import { shownServices } from './shown-services.ts'
import { chooseWeek } from './week/choose-week.ts'
import { loadOverview } from './week/load-overview.ts'

/**
 * What the main page and the share page show. A part that cannot be read at the moment is null: the page then says
 * Loading… and the browser asks again.
 */
export async function loadRsvpPage(
  call: Call,
  { limit = LISTED_RSVPS, before, shared }: { limit?: number; before?: string | undefined; shared: boolean },
) {
  // The share view shows an administrator what visitors see.
  const reader = shared ? { ...call, administrator: false } : call
  const [event, features, names, schedule] = await Promise.all([
    orNull(getStoredEvent(call)),
    orNull(getFeatures(call)),
    orNull(getShownNames(call)),
    orNull(getSchedule(call)),
  ])
  const known = event && knownEvent(event.read)
  const services = known && schedule && shownServices(schedule.read, known.content, call.now)
  const week = services?.listed?.date
  // A list that cannot be read at the moment is one all the same: the browser asks again.
  const listed = reader.administrator || names === null || names.read === 'full' || names.read === 'initial'
  const responses =
    names && listed ? await orNull(listRsvps({ limit, before, week }, reader).catch(noneWhenHidden)) : null
  const counts = !listed && names?.read === 'counts' ? await orNull(countRsvps({ week }, call)) : null
  const weeks = week && (listed || counts) ? await orNull(countByWeek({ week }, call)) : null
  const roles = features?.read.volunteerSignup ? await orNull(listVolunteerRoles(call)) : null
  return {
    event: known,
    schedule: schedule?.read,
    zone: schedule?.read.timeZone ?? serverTimeZone(),
    features: features?.read ?? null,
    roles: roles?.read ?? null,
    services,
    /** Whether the caller may see the list of responses. */
    listed,
    counts: counts?.read ?? null,
    /** How many people come to the service that is listed; undefined where that is not told. */
    people: weeks?.read.reduce((total, { people }) => total + people.expected, 0),
    responses: responses && publicRsvps.parse(JSON.parse(responses.read.json.toString())),
    next: responses?.read.next,
    status: features && names && services && (responses || !listed) ? 200 : 503,
  }
}

function knownEvent(stored: StoredEvent | null) {
  if (stored === null) return { content: defaultEvent, revision: undefined }
  return { content: toContent(stored.event), revision: stored.revision }
}

/**
 * The response that a form without JavaScript was just sent with; none where the mark in the address is wrong or old. With
 * the secret of its private link, if it is that one which the browser has: an address can be passed on, a cookie is not.
 */
export async function loadThankedRsvp(call: Call, searchParams: URLSearchParams, secret: string | undefined) {
  const mark = searchParams.get('thanks')
  const rsvp = mark === null ? undefined : (await orNull(findThankedRsvp(mark, call)))?.read
  const isOwn = secret !== undefined && rsvp?.linkHash === hashOfLinkSecret(secret)
  return rsvp && { rsvp, linkSecret: isOwn ? secret : undefined }
}

/** What puts the service into a calendar, with the address of the share page; null while visitors are offered none. */
export async function loadCalendarLinks(call: Call, page: string): Promise<CalendarLinks | null> {
  return (await orNull(getCalendarLinks({ page }, call)))?.read ?? null
}

/** What the privacy page says of the settings in force; each null where it cannot be read. */
export async function loadPrivacyPage(call: Call) {
  const [names, settings] = await Promise.all([orNull(getShownNames(call)), orNull(getSettings(call))])
  return { names: names?.read ?? null, settings: settings?.read ?? null }
}

/** Where the older rows begin that a browser without JavaScript asks for, if the address says anything sensible. */
export function olderThan(searchParams: URLSearchParams): string | undefined {
  const asked = searchParams.get('before') ?? ''
  return idText.safeParse(asked).success ? asked : undefined
}

/** What the administration shows, read in the same way; nothing to whom it is not known to belong. */
export async function loadAdminPage(call: Call, searchParams: URLSearchParams) {
  const view = viewFrom(searchParams)
  const schedule = call.administrator ? (await orNull(getSchedule(call)))?.read : undefined
  const zone = schedule?.timeZone ?? serverTimeZone()
  const today = dayIn(zone, call.now)
  if (schedule === undefined) return { ...nothingOfAdmin, view, zone, today }
  const chosen = await orNull(chooseWeek(view, schedule, call))
  if (chosen === null) return { ...nothingOfAdmin, view, zone, today }
  const week = chosen.read
  const [floods, page, overview, features, roles, settings, church, doubt, drill, event, languages, days, uncounted] =
    await Promise.all([
      orNull(listFloods(call)),
      orNull(getTablePage({ ...view, ...placeFrom(searchParams), week }, call)),
      orNull(loadOverview(week, schedule, call)),
      orNull(getFeatures(call)),
      orNull(listVolunteerRoles(call)),
      orNull(getSettings(call)),
      orNull(getChurch(call)),
      orNull(findDoubt(call)),
      orNull(findDrillTrouble(call)),
      orNull(getEvent(call)),
      orNull(getEventLanguages(call)),
      orNull(listEnterableDays(call)),
      orNull(findUncountedService(call)),
    ])
  const duplicates = await orNull(loadDuplicates(week, page?.read ?? null, call))
  return {
    /** Why the clock is not trusted, as a sentence that says what to do. */
    doubt: doubt?.read && doubtSentence(doubt.read),
    /** Why the newest backup could not be restored. */
    drill: drill?.read,
    floods: (floods?.read ?? []).map(({ kind, at }) => floodText(kind, formatMoment(at, zone))),
    view,
    /** The day of the service that is shown; undefined for all of them. */
    week,
    page: page?.read ?? null,
    duplicates: duplicates?.read ?? null,
    days: days?.read ?? noDays,
    overview: overview?.read ?? null,
    /** The day of the last service, while it is asked how many came to it. */
    uncounted: uncounted?.read,
    features: features?.read ?? null,
    roles: roles?.read ?? null,
    settings: settings?.read ?? null,
    church: church?.read ?? null,
    schedule,
    event: event && (event.read === null ? defaultEvent : toContent(event.read)),
    languages: languages?.read ?? null,
    /** The time zone of all that is shown, and the day in it. */
    zone,
    today,
    /** How many responses move along where the service moves to another weekday. */
    upcoming: (overview?.read.weeks ?? [])
      .filter(({ date }) => date >= earliestMoved(schedule, call.now))
      .reduce((sum, { responses }) => sum + responses.attending + responses.notAttending, 0),
    status: page && overview && features && roles && settings ? 200 : 503,
  }
}

const noDays: EnterableDays = { next: [], past: [] }
const nothingOfAdmin = {
  floods: [],
  doubt: undefined,
  drill: undefined,
  week: undefined,
  page: null,
  duplicates: null,
  overview: null,
  uncounted: undefined,
  days: noDays,
  features: null,
  roles: null,
  settings: null,
  church: null,
  schedule: null,
  event: null,
  languages: null,
  upcoming: 0,
  status: 503,
}

/** The church may have hidden the list since its setting was read. */
function noneWhenHidden(error: unknown): RsvpPage {
  if (error instanceof UserError && error.code === 'unauthenticated')
    return { json: Buffer.from('[]'), next: undefined, filter: {} }
  throw error
}
