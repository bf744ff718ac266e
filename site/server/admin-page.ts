import { floodText, listFloods } from '#db/access/floods.ts'
import { findDrillTrouble } from '#db/backup/copies/history.ts'
import { getChurch } from '#db/church/operations.ts'
import { doubtSentence, findDoubt } from '#db/clock/clock.ts'
import { toContent } from '#db/event/content.ts'
import { defaultEvent } from '#db/event/default-event.ts'
import { getEvent, getStoredEvent } from '#db/event/operations.ts'
import { getEventLanguages } from '#db/event/translations.ts'
import { getFeatures } from '#db/feature/operations.ts'
import type { Call } from '#db/operation.ts'
import { listEnterableDays } from '#db/rsvp/entry.ts'
import { listDuplicates } from '#db/rsvp/merge.ts'
import { listVolunteerRoles } from '#db/rsvp/roles.ts'
import type { ShownDuplicates, TablePage } from '#db/rsvp/schema.ts'
import { earliestMoved } from '#db/rsvp/service-dates.ts'
import { getTablePage } from '#db/rsvp/table-page.ts'
import { findContradictions } from '#db/schedule/contradictions.ts'
import { getSchedule } from '#db/schedule/operations.ts'
import type { CurrentSchedule } from '#db/schedule/schema.ts'
import { getSettings } from '#db/settings/operations.ts'
import { findUncountedService } from '#db/turnout/operations.ts'
import { dayIn, serverTimeZone } from '#db/values/time-zone.ts'
import type { ResponsesView } from '#site/lib/admin-page.ts'
import { formatMoment, weekdayName } from '#site/texts/dates.ts'
import { clockText } from '#site/texts/schedule.ts'
import { t } from '#site/texts/texts.ts'
import { orNull } from './log.ts'
import { placeFrom, viewFrom } from './responses-view.ts'
import { loadOverview } from './week/overview.ts'
import { chooseWeek } from './week/week-choice.ts'

/** How many people are named who sent more than one RSVP for a service; more would push the table away. */
const NAMED = 5

/** What the administration shows, read in the same way; nothing to whom it is not known to belong. */
export async function loadAdminPage(call: Call, searchParams: URLSearchParams) {
  const view = viewFrom(searchParams)
  const schedule = call.administrator ? (await orNull(getSchedule(call)))?.read : undefined
  const chosen = schedule && (await orNull(chooseWeek(view, schedule, call)))
  const week = chosen?.read
  const all: Partial<Awaited<ReturnType<typeof readAll>>> =
    schedule && chosen ? await readAll({ ...view, ...placeFrom(searchParams), week }, schedule, call) : []
  const [floods, page, overview, features, roles, settings, church, doubt, drill, event, languages, days, uncounted] =
    all
  const duplicates = chosen && (await orNull(loadDuplicates(week, page?.read ?? null, call)))
  const zone = schedule?.timeZone ?? serverTimeZone()
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
    days: days?.read ?? { next: [], past: [] },
    overview: overview?.read ?? null,
    /** The day of the last service, while it is asked how many came to it. */
    uncounted: uncounted?.read,
    features: features?.read ?? null,
    roles: roles?.read ?? null,
    settings: settings?.read ?? null,
    church: church?.read ?? null,
    schedule: chosen && schedule ? schedule : null,
    event: event ? (event.read === null ? defaultEvent : toContent(event.read)) : null,
    languages: languages?.read ?? null,
    /** The time zone of all that is shown, and the day in it. */
    zone,
    today: dayIn(zone, call.now),
    /** How many responses move along where the service moves to another weekday. */
    upcoming: (overview?.read.weeks ?? [])
      .filter(({ date }) => schedule && date >= earliestMoved(schedule, call.now))
      .reduce((sum, { responses }) => sum + responses.attending + responses.notAttending, 0),
    status: page && overview && features && roles && settings ? 200 : 503,
  }
}

/** Each is null while it cannot be read. */
function readAll(shown: ResponsesView & ReturnType<typeof placeFrom>, schedule: CurrentSchedule, call: Call) {
  return Promise.all([
    orNull(listFloods(call)),
    orNull(getTablePage(shown, call)),
    orNull(loadOverview(shown.week, schedule, call)),
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
}

/** Who sent more than one RSVP for a service, or for any; with the ids of the rows of a page that were sent again. */
async function loadDuplicates(week: string | undefined, page: TablePage | null, call: Call): Promise<ShownDuplicates> {
  const { superseded, newest, ...shown } = await listDuplicates({ week, limit: NAMED }, call)
  const ids = new Set(page?.responses.map(({ id }) => id))
  const isShown = (id: number) => ids.has(id)
  return { ...shown, marked: { superseded: superseded.filter(isShown), newest: newest.filter(isShown) } }
}

/** What is on the poster; null while it cannot be read. It hangs for weeks, so it names no single service. */
export async function loadPoster(call: Call) {
  const [stored, schedule] = await Promise.all([orNull(getStoredEvent(call)), orNull(getSchedule(call))])
  if (stored === null || schedule === null) return null
  const event = stored.read === null ? defaultEvent : toContent(stored.read.event)
  const { weekday, startTime, confirmed } = schedule.read
  const isWhenOfEvent = !confirmed || findContradictions(event, schedule.read).length === 0
  return {
    title: event.pageTitle,
    subtitle: event.pageSubtitle,
    isWhenOfEvent,
    when: isWhenOfEvent
      ? `${event.date}, ${event.time}`
      : t('Every {weekday}, {time}', { weekday: weekdayName(weekday), time: clockText(startTime) }),
    place: event.location,
  }
}
