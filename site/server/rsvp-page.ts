import type { Call } from '#db/call.ts'
import { serverTimeZone } from '#db/config/config.ts'
import { type FoundTranslation, getStoredEvent } from '#db/event.ts'
import { getFeatures } from '#db/features.ts'
import { countByWeek, sumOf } from '#db/rsvp/counts.ts'
import { listRsvps, responsesOf } from '#db/rsvp/list.ts'
import { getOwnRsvp } from '#db/rsvp/own-rsvp.ts'
import { hashOfLinkSecret } from '#db/rsvp/private-links.ts'
import { listPromised } from '#db/rsvp/queue-mail.ts'
import { listVolunteerRoles } from '#db/rsvp/roles.ts'
import { findThankedRsvp } from '#db/rsvp/thanks.ts'
import { getSchedule } from '#db/schedule.ts'
import { getSettings, getShownNames } from '#db/settings.ts'
import { defaultEvent, type EventTimes, isUnscheduled } from '#db/values/default-event.ts'
import { isOutage, UserError } from '#db/values/errors.ts'
import { type EventContent, toContent, translatedNames } from '#db/values/event-content.ts'
import type { Language } from '#db/values/languages.ts'
import type { OwnRsvp } from '#db/values/private-link.ts'
import { isAtLeast } from '#db/values/roles.ts'
import { publicRsvps } from '#db/values/rsvp.ts'
import type { CurrentSchedule } from '#db/values/schedule.ts'
import { currentService, clockText as englishClock, serviceOn, servicesFrom, weekdayText } from '#db/values/services.ts'
import type { TextLanguages } from '#site/islands/EventCard.tsx'
import { type Coming, FEWEST_SHOWN, latestInitials } from '#site/islands/ResponsesList.tsx'
import { type OfferedServices, type ServiceDay, serviceDay } from '#site/lib/days.ts'
import { LATEST_RSVPS, LISTED_RSVPS } from '#site/lib/links.ts'
import { choicesFor } from '#site/lib/role-choices.ts'
import { dayText, listText, weekdayName } from '#site/texts/dates.ts'
import { clockText, timesText } from '#site/texts/schedule.ts'
import { t } from '#site/texts/texts.ts'
import { ifReadable, readableOf } from './log.ts'
import { refusalOf } from './problem.ts'

/** More rows than a share view lists: enough for four initials, although some people do not come. */
const READ_FOR_INITIALS = 20

type ShownServices = OfferedServices & {
  /** Which services are skipped, and why the first is later than usual. */
  note?: string | undefined
  /** The service whose RSVPs are listed; undefined for all services, while the schedule is not confirmed. */
  listed?: ServiceDay | undefined
}

/** `texts` replace those of the event; `languages` are the languages of texts in another language than the page. */
export type ShownTranslation = {
  texts: Partial<EventContent>
  languages: TextLanguages
}

const BUSY = "The church's computer is busy at the moment. Reload this page in a few seconds."
const OTHER_LINK =
  'Another private link was opened in this browser meanwhile, so nothing was changed. Open the link of this RSVP once more, then change it.'

/** A part of the page that cannot be read now is null. The page then says Loading…, and the browser reads it again. */
export async function loadRsvpPage(call: Call, { before, shared }: { before?: string | undefined; shared: boolean }) {
  // The share view shows an administrator what visitors see.
  const reader = shared ? { ...call, role: 'visitor' as const } : call
  const [{ event, schedule, features, roles, services, prayers }, { names }] = await Promise.all([
    loadForm(call),
    readableOf({ names: getShownNames(call) }),
  ])
  const week = services?.listed?.date
  // A list of all services would have every household that comes every week many times.
  const standingUntil = week || !schedule ? undefined : currentService(schedule, call.now).date
  // A list that cannot be read now counts as shown, because the browser reads it again.
  const listed = isAtLeast('clerk', reader.role) || names === undefined || names === 'full' || names === 'initial'
  const limit = shared ? READ_FOR_INITIALS : LISTED_RSVPS
  const responses =
    names && listed ? await ifReadable(listRsvps({ limit, before, week, standingUntil }, reader)) : undefined
  const counted = !listed && names === 'counts' ? await ifReadable(countByWeek({ week, standingUntil })) : undefined
  const counts = counted && sumOf(counted).counted
  const isNext = week !== undefined && week === services?.offered[0]?.date
  // Not while it is unknown whether the church shows names, and not on older pages, which have no initials.
  const isCounted = isNext && before === undefined && names && (listed || counts)
  const weeks = isCounted ? await ifReadable(countByWeek({ week })) : undefined
  const people = weeks?.reduce((total, { people }) => total + people.expected, 0) ?? 0
  const rsvps = responses && publicRsvps.parse(responsesOf(responses))
  const initials = rsvps ? latestInitials(rsvps) : []
  return {
    event,
    schedule,
    zone: schedule?.timeZone ?? serverTimeZone(),
    features: features ?? null,
    roles: roles ?? null,
    services,
    hours: schedule && hoursOf(schedule),
    prayers,
    /** Whether the caller may see the list of responses. */
    listed,
    counts: counts ?? null,
    /** Undefined if the number is not shown, or the list is not of the next service. */
    coming: isCounted && people >= FEWEST_SHOWN ? ({ people, initials, day: week } satisfies Coming) : undefined,
    responses: rsvps?.slice(0, shared ? LATEST_RSVPS : undefined) ?? null,
    next: responses?.next,
    status: features && names && services && (responses || !listed) ? 200 : 503,
  }
}

/**
 * The RSVP that was just sent without JavaScript; undefined if the mark in the address is invalid or has expired.
 * @param secret the secret of a private link in the browser's cookie. Only with it is the link returned, because other
 * people may open the same address.
 */
export async function loadThankedRsvp(call: Call, searchParams: URLSearchParams, secret: string | undefined) {
  const mark = searchParams.get('thanks')
  const rsvp = mark === null ? undefined : await ifReadable(findThankedRsvp(mark, call))
  const isOwn = secret !== undefined && rsvp?.linkHash === hashOfLinkSecret(secret)
  const mail = rsvp && (await ifReadable(listPromised({ rsvpId: rsvp.id }, call)))
  return rsvp && { rsvp, mail, linkSecret: isOwn ? secret : undefined }
}

/**
 * The services that forms offer. None while only the texts of the event say when services are.
 * @internal Exported for its test.
 */
export function shownServices(schedule: CurrentSchedule, event: EventTimes, now: Date): ShownServices {
  if (isUnscheduled(event, schedule)) return { offered: [] }
  const offered = schedule.services.map(({ date }) => serviceDay(date))
  const listed = schedule.confirmed ? serviceDay(currentService(schedule, now).date) : undefined
  return { offered, note: noteOf(schedule, now), listed }
}

/** @param language of the page. */
export function shownTranslation({ language: first, texts }: FoundTranslation, language: Language): ShownTranslation {
  const shown: ShownTranslation = { texts: {}, languages: {} }
  for (const [name, shownName] of Object.entries(translatedNames)) {
    const text = texts[name as keyof typeof texts]
    if (text) shown.texts[shownName] = text
    else if (first !== language) shown.languages[shownName] = first
  }
  return shown
}

/**
 * The page of a private link: the RSVP with its service, as far as visitors are shown days, and the choices of its form,
 * or the reason why there is no RSVP. `mark` identifies the RSVP in the forms of the page.
 */
export async function loadOwnRsvpPage(
  call: Call,
  link: { linkSecret: string | undefined; week?: string | undefined },
  otherLink = false,
) {
  if (otherLink) return { own: undefined, status: 409, reason: t(OTHER_LINK) }
  try {
    const own = await getOwnRsvp(link, call)
    const { service, note, event, choices } = await loadOwnChoices(own, call)
    const mark = hashOfLinkSecret(link.linkSecret ?? '')
    return { own, service, note, event, choices, mark, status: 200, reason: '' }
  } catch (error) {
    const { message, status } = refusalOf(error)
    return { own: undefined, status, reason: isOutage(error) ? t(BUSY) : message }
  }
}

function noteOf({ services, ...schedule }: CurrentSchedule, now: Date): string | undefined {
  const [next = '', last = ''] = [services[0]?.date, services.at(-1)?.date]
  // A service closes up to a week before it, so at most two are closed.
  const all = servicesFrom({ ...schedule, skippedDates: [] }, now).take(
    services.length + schedule.skippedDates.length + 2,
  )
  const dates = Array.from(all, ({ date }) => date).filter((date) => date < last)
  const skipped = dates.filter((date) => schedule.skippedDates.includes(date))
  const missed = dates.filter((date) => date < next)
  const closed = missed.filter((date) => !skipped.includes(date))
  const sentences = [
    closed.length > 0 && t('Responses for {day} are closed.', { day: listText(closed.map(dayText)) }),
    skipped.length > 0 && t('No service on {day}.', { day: listText(skipped.map(dayText)) }),
    missed.length > 0 && t('The next is on {day}.', { day: dayText(next) }),
  ]
  return sentences.filter(Boolean).join(' ') || undefined
}

/** The hours of the next service, and the texts that would only repeat them and its day. */
function hoursOf({ services: [next], ...schedule }: CurrentSchedule) {
  const { weekday, startTime, confirmed } = schedule
  const time = clockText(startTime)
  const days = [t('Every {weekday}', { weekday: weekdayName(weekday) }), `Every ${weekdayText(weekday)}`]
  const said = [time, englishClock(startTime)]
  if (confirmed) said.push(...days, ...(days.includes('Every Saturday') ? [defaultEvent.date] : []))
  return {
    // How long a service takes is known once the schedule is confirmed.
    text: confirmed && next ? timesText({ ...schedule, ...next }) : time,
    // People type neither the marks of direction nor the narrow spaces of Intl.
    said: said.map((text) => text.replace(/[\u2068\u2069]/g, '').replace(/\s/g, ' ')),
  }
}

/** What the forms of visitors offer, with the event and the schedule. */
async function loadForm(call: Call) {
  const { stored, schedule, settings, ...read } = await readableOf({
    stored: getStoredEvent(),
    features: getFeatures(),
    settings: getSettings(),
    schedule: getSchedule(call),
  })
  const content = stored ? toContent(stored.event) : defaultEvent
  const event = stored === undefined ? null : { content, revision: stored?.revision }
  const services = event && schedule ? shownServices(schedule, content, call.now) : null
  const calendarIntegration =
    read.features?.calendarIntegration === true && !(schedule && isUnscheduled(content, schedule))
  const features = read.features && { ...read.features, calendarIntegration }
  const roles = features?.volunteerSignup ? await ifReadable(listVolunteerRoles(call)) : undefined
  return { event, schedule, features, roles, services, prayers: settings?.prayers === true }
}

/** The choices of a private link's form. The RSVP's own roles and day stay, even if no one else can choose them. */
async function loadOwnChoices(rsvp: OwnRsvp, call: Call) {
  const { event, schedule, features, roles, services, prayers } = await loadForm(call)
  // A form without a part that cannot be read now would delete that part of the RSVP.
  if (!features || !services || (features.volunteerSignup && !roles)) throw new UserError('busy', BUSY)
  const own = rsvp.volunteerSignups.map(({ role }) => role)
  const others = (roles ?? []).filter(({ id }) => own.every((role) => role.id !== id))
  const { offered } = services
  const { serviceDate } = rsvp
  const week = serviceDay(serviceDate)
  const days = offered.some(({ date }) => date === serviceDate) ? offered : [week, ...offered]
  const hours = schedule?.confirmed ? timesText({ ...schedule, ...serviceOn(schedule, serviceDate) }) : undefined
  return {
    service: offered.length > 0 || rsvp.standing ? { ...week, hours } : undefined,
    note: services.note,
    event: event?.content ?? defaultEvent,
    choices: {
      features,
      week,
      // Undefined for a link that may have reached someone else than its sender.
      prayers: prayers && rsvp.prayer !== undefined,
      roles: [...own, ...choicesFor(others, serviceDate)],
      // The day cannot be chosen if visitors are not shown days, or for one week of a household that comes every week.
      days: offered.length === 0 || rsvp.standing ? [] : days,
    },
  }
}
