import { getAccount } from '#db/access/account.ts'
import { UNNAMED } from '#db/access/setup.ts'
import type { Call, SignedInAdministrator } from '#db/call.ts'
import { getChurch } from '#db/church.ts'
import { serverTimeZone } from '#db/config/config.ts'
import { getEvent, getEventLanguages } from '#db/event.ts'
import { getFeatures } from '#db/features.ts'
import { listEnterableDays } from '#db/rsvp/entry.ts'
import { getTablePage } from '#db/rsvp/list.ts'
import { listDuplicates } from '#db/rsvp/merge.ts'
import { offersPrayers } from '#db/rsvp/prayers.ts'
import { findPurgeDoubt } from '#db/rsvp/purge.ts'
import { listVolunteerRoles } from '#db/rsvp/roles.ts'
import { listStanding } from '#db/rsvp/standing.ts'
import { getSchedule } from '#db/schedule.ts'
import { getSettings } from '#db/settings.ts'
import { findUncountedService, getDefaultWeek } from '#db/turnout.ts'
import { defaultEvent } from '#db/values/default-event.ts'
import { type EventContent, toContent } from '#db/values/event-content.ts'
import type { CurrentSchedule } from '#db/values/schedule.ts'
import { scheduledService, weekDate } from '#db/values/services.ts'
import { isQuiet } from '#db/values/standing.ts'
import { dayIn } from '#db/values/time-zone.ts'
import { settingsPanels } from '#site/islands/admin/SettingsTab.tsx'
import { adminTabs, keysOf, type ResponsesView } from '#site/lib/admin-page.ts'
import { weekdayName } from '#site/texts/dates.ts'
import { clockText } from '#site/texts/schedule.ts'
import { t } from '#site/texts/texts.ts'
import { mayUse } from './access/access.ts'
import { ifReadable, readableOf } from './log.ts'
import { pageFrom, viewFrom } from './responses-view.ts'
import { loadOverview } from './week.ts'

/** People with duplicates that are named; more would push the table down. */
const NAMED = 5

/** What the caller may see of the administration; nothing unless known to be an administrator. */
export async function loadAdminPage(call: Call, searchParams: URLSearchParams) {
  const view = viewFrom(searchParams)
  const schedule = call.role !== 'visitor' ? await ifReadable(getSchedule(call)) : undefined
  const chosen = schedule && (await ifReadable(chooseWeek(view, schedule, call)))
  const week = chosen?.week
  const read: Awaited<ReturnType<typeof readAll>> =
    schedule && chosen ? await readAll({ ...view, page: pageFrom(searchParams), week }, schedule, call) : {}
  const { sentAgain, days, ...parts } = read
  const { page, overview, features, roles, settings } = parts
  // The page is shown to a visitor only in open mode, during an outage: its parts then load by calls.
  const may = (name: Parameters<typeof mayUse>[0]) =>
    mayUse(name, { role: call.role === 'visitor' ? 'owner' : call.role })
  const seesResponses = may('GET /api/rsvps/download')
  const zone = schedule?.timeZone ?? serverTimeZone()
  const shownIds = new Set(page?.responses.map(({ id }) => id))
  const shown = (ids: number[] = []) => ids.filter((id) => shownIds.has(id))
  return {
    ...parts,
    tabs: keysOf(adminTabs).filter((tab) => may(adminTabs[tab])),
    sections: settingsPanels.filter((panel) => may(panel.call) && isOffered(panel.id, call)).map(({ id }) => id),
    seesResponses,
    administrator: call.administrator && { id: call.administrator.id, name: nameOf(call.administrator) },
    /** Whether the page of prayer requests is linked. */
    prayers: await ifReadable(offersPrayers(call)),
    account: call.administrator && (await ifReadable(getAccount(call))),
    view,
    /** The day of the service that is shown; undefined for all of them. */
    week,
    /** `marked` has the ids of those rows of the page that are duplicates. */
    duplicates: sentAgain && {
      duplicates: sentAgain.duplicates,
      total: sentAgain.total,
      marked: { superseded: shown(sentAgain.superseded), newest: shown(sentAgain.newest) },
    },
    days: days ?? { next: [], past: [] },
    schedule: chosen && schedule,
    /** The time zone of all times; `today` is the day in it. */
    zone,
    today: dayIn(zone, call.now),
    /** How many responses would move along with a changed weekday. */
    upcoming: (overview?.weeks ?? [])
      .filter(({ date }) => schedule && date >= scheduledService(schedule, call.now).date)
      .reduce((sum, { counted, superseded }) => sum + counted.attending + counted.notAttending + superseded, 0),
    status: overview && (!seesResponses || (page && features && roles && settings)) ? 200 : 503,
  }
}

function nameOf({ name }: SignedInAdministrator): string {
  return name === UNNAMED ? t('Administrator') : name
}

/** The day of the service that a view shows; undefined for all of them. */
async function chooseWeek({ week }: ResponsesView, schedule: CurrentSchedule, call: Call) {
  return { week: await (week === undefined ? getDefaultWeek(call) : weekDate(week, schedule, call.now)) }
}

async function readAll(
  shown: ResponsesView & { page: string | undefined },
  schedule: CurrentSchedule,
  call: Call,
): Promise<Partial<Awaited<ReturnType<typeof readDesk>>>> {
  // What is sent with a page can be read, drawn or not.
  if (mayUse('GET /api/rsvps/download', call)) return readDesk(shown, schedule, call)
  return readableOf({ overview: loadOverview(shown.week, schedule, call) })
}

function readDesk(shown: ResponsesView & { page: string | undefined }, schedule: CurrentSchedule, call: Call) {
  return readableOf({
    page: getTablePage(shown),
    overview: loadOverview(shown.week, schedule, call),
    features: getFeatures(),
    roles: listVolunteerRoles(call),
    settings: getSettings(),
    church: getChurch(),
    doubt: findPurgeDoubt(call),
    /** How many households that come every week have not been heard of for a long time. */
    quiet: countQuiet(call),
    event: readEvent(),
    languages: getEventLanguages(),
    days: listEnterableDays(call),
    /** The day of the last service until its turnout is recorded or skipped. */
    uncounted: findUncountedService(call),
    /** Duplicates for the shown service, or for any. */
    sentAgain: listDuplicates({ week: shown.week, limit: NAMED }),
  })
}

/** Undefined while it cannot be read. A poster hangs for weeks, so it names no single service. */
export async function loadPoster(call: Call) {
  const { event, schedule } = await readableOf({ event: readEvent(), schedule: getSchedule(call) })
  if (event === undefined || schedule === undefined) return undefined
  const { weekday, startTime, confirmed } = schedule
  return {
    title: event.pageTitle,
    isWhenOfEvent: !confirmed,
    when: confirmed
      ? t('Every {weekday}, {time}', { weekday: weekdayName(weekday), time: clockText(startTime) })
      : `${event.date}, ${event.time}`,
    place: event.location,
  }
}

/** In open mode there are no accounts. */
function isOffered(panel: string, { administrator, sendsMail }: Call): boolean {
  if (panel === 'account') return administrator !== undefined
  return panel !== 'mail' || sendsMail === true
}

async function countQuiet(call: Call): Promise<number> {
  return (await listStanding()).filter((household) => isQuiet(household, call.now)).length
}

async function readEvent(): Promise<EventContent> {
  const event = await getEvent()
  return event === null ? defaultEvent : toContent(event)
}
