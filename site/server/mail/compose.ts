import { getCalendarSeries } from '#db/calendar/series.ts'
import type { Call } from '#db/call.ts'
import { getChurch } from '#db/church.ts'
import { findEventTranslation, getEventLanguages, getStoredEvent } from '#db/event.ts'
import { getFeatures } from '#db/features.ts'
import { readKeyedHash } from '#db/keyed-hash.ts'
import type { Compose } from '#db/mail/deliver.ts'
import { MERGED_LINK, type QueuedMail } from '#db/mail/queue.ts'
import { stopPath } from '#db/mail/stops.ts'
import { findMailedRsvp, findRecipient, listNews, makeMailedLinks } from '#db/rsvp/mail-content.ts'
import { listPrayers } from '#db/rsvp/prayers.ts'
import { getSheet } from '#db/rsvp/sheet.ts'
import { readSchedule } from '#db/schedule.ts'
import { defaultEvent } from '#db/values/default-event.ts'
import { ifFound, UserError } from '#db/values/errors.ts'
import type { EventPayload } from '#db/values/event.ts'
import { toPayload } from '#db/values/event-payload.ts'
import type { MailChoice, MailKind } from '#db/values/mail.ts'
import type { Schedule } from '#db/values/schedule.ts'
import { currentService, serviceOn } from '#db/values/services.ts'
import { PRAYERS, sheetAddress } from '#site/lib/admin-page.ts'
import { placeLink, shareLink } from '#site/lib/links.ts'
import { recordedOfStored } from '#site/lib/recorded.ts'
import { inLanguage } from '#site/server/language.ts'
import { siteCall } from '#site/server/program.ts'
import { comma, dayText, listText } from '#site/texts/dates.ts'
import { clockText, farewellText, timesText } from '#site/texts/schedule.ts'
import { plural, roleName, t } from '#site/texts/texts.ts'
import { isolated, type Part, safeLine, safeLines, writeMessage } from './parts.ts'

/** `linkTo` adds the origin to a path of the site. `event` is in the language of the message. */
type Context = Call & { linkTo: (path: string) => string; event: EventPayload }
/** Without `to`, the message goes to the administrator who has chosen it. Without a title, the subject is it. */
type Head = { to?: string; subject: string; title?: string; calendar?: string | undefined }
type Draft = [head: Head, ...parts: Part[]]

/** How each kind is drafted and, if administrators get it, what they choose to get. */
const kinds: Record<MailKind, [(mail: QueuedMail, call: Context) => Promise<Draft | undefined>, MailChoice?]> = {
  confirmation: [draftAboutRsvp],
  reminder: [draftAboutRsvp],
  link: [draftLinks],
  skipped: [draftServiceChange],
  held: [draftServiceChange],
  sheet: [draftSheet, 'sheet'],
  digest: [draftDigest, 'digest'],
  prayer: [draftPrayer, 'prayers'],
}

/**
 * Writes a queued message; undefined if it is no longer to be sent. Visitors get their own language, administrators
 * English. A message to an administrator is drafted with that person's call, so it has nothing that person may not see.
 */
export const compose: Compose = async (mail, linkTo, now) => {
  const call = { ...siteCall(), now, linkTo }
  const [draftMail, choice] = kinds[mail.kind]
  const reader = choice && (await findRecipient(mail, choice))
  if (choice && !reader) return undefined
  const language = choice ? 'en' : (mail.language ?? (await getEventLanguages()).language)
  const { texts, ...translation } = await findEventTranslation({ language }, call)
  const event = { ...((await getStoredEvent())?.event ?? toPayload(defaultEvent)), ...texts }
  const write = async () => {
    const draft = await draftMail(mail, { ...call, ...reader?.caller, event })
    if (draft === undefined) return undefined
    const [{ to = reader?.to ?? '', subject, title, calendar }, ...parts] = draft
    const footer = choice ? forAdministrators : forVisitors(linkTo, stopPath(to, await readKeyedHash()))
    return { to, calendar, ...(await writeAsChurch(subject, [...parts, ...footer], title)) }
  }
  return inLanguage(language, write, { language: translation.language, names: translation.roles })
}

/** Writes a message with the name of the church, in the current language. */
export async function writeAsChurch(subject: string, parts: Part[], title = subject) {
  const { name, accent } = await getChurch()
  return { subject, ...writeMessage(accent, [name !== null && ['b', isolated(name)], ['h1', title], ...parts]) }
}

const forAdministrators: Part[] = [['small', 'You have chosen to get this, in Settings under Your account.']]

function forVisitors(linkTo: Context['linkTo'], stop: string): Part[] {
  const site = new URL(linkTo('')).host
  return [
    ['small', `${t('Your private link')}: ${t('Whoever has it can change your RSVP.')}`],
    ['small', t('You get this because your email address was given with an RSVP at {site}.', { site })],
    ['small', t('Stop all messages to this address'), linkTo(stop)],
  ]
}

/** The confirmation of an RSVP, or a reminder. */
async function draftAboutRsvp(mail: QueuedMail, call: Context): Promise<Draft | undefined> {
  const mailed = await findMailedRsvp(mail, call)
  if (mailed === undefined) return undefined
  const { rsvp, secret } = mailed
  const series = await ifFound(getCalendarSeries({ date: rsvp.serviceDate }, call))
  const isReminder = mail.kind === 'reminder'
  // If visitors are not shown days, the day may be wrong.
  if (isReminder && series === undefined) return undefined
  const { attending, coming, roles, everyWeek, firstVisit } = recordedOfStored(rsvp, true)
  const names = listText(coming.map(safeLine))
  const day = dayText(rsvp.serviceDate)
  // Imported only now, so that the start of the site does not wait for the library.
  const hasCalendar = names && !isReminder && (await getFeatures()).calendarIntegration
  const { writeCalendar } = hasCalendar ? await import('#db/calendar/ics.ts') : {}
  const calendar = series && writeCalendar?.(series, shareLink(call.linkTo('')), rsvp.serviceDate)
  const confirmed = series ? t('Your RSVP for {day}', { day }) : t('Your RSVP')
  const subject = isReminder ? t('A reminder for {day}', { day }) : confirmed
  const farewell = farewellText(rsvp.serviceDate, series && clockText(series.schedule.startTime))
  const thanks = t('Thank you, {name}', { name: safeLine(rsvp.name) })
  return [
    { to: rsvp.email, subject, title: attending ? farewell : thanks, calendar },
    attending && !isReminder && thanks,
    names === '' && t('We have written down that you cannot come.'),
    names !== '' && ['li', attending ? t('Coming: {names}', { names }) : t('Coming without you: {names}', { names })],
    roles.length > 0 && ['li', t('You offered to help with: {roles}', { roles: listText(roles.map(roleName)) })],
    attending && everyWeek && ['li', t('Every week: you are expected at each service until you say otherwise.')],
    ...about(call.event, series && whenText(series.schedule, rsvp.serviceDate), attending && firstVisit),
    ['p', t('Change or withdraw'), call.linkTo(`/answer?key=${secret}`)],
  ]
}

/** The news that a service is skipped, or takes place after all. */
async function draftServiceChange(mail: QueuedMail, call: Context): Promise<Draft | undefined> {
  const mailed = await findMailedRsvp(mail, call)
  if (mailed === undefined) return undefined
  const { rsvp, secret, reason } = mailed
  const schedule = await readSchedule()
  const day = dayText(rsvp.serviceDate)
  const next = currentService(schedule, new Date(serviceOn(schedule, rsvp.serviceDate).endsAt)).date
  const [subject, date, dayLine] =
    mail.kind === 'skipped'
      ? [t('No service on {day}.', { day }), next, t('The next is on {day}.', { day: dayText(next) })]
      : [t('The service on {day} takes place after all.', { day }), rsvp.serviceDate, day]
  return [
    { to: rsvp.email, subject },
    isolated(reason ?? ''),
    t('You have told us who comes: {names}', { names: listText(recordedOfStored(rsvp, true).coming.map(safeLine)) }),
    ...about(call.event, whenText(schedule, date, dayLine)),
    ['p', t('Change or withdraw'), call.linkTo(`/answer?key=${secret}`)],
  ]
}

/** E.g. `Saturday, January 11` and below it `10:00 AM to 12:00 PM`. */
function whenText(schedule: Schedule, date: string, day = dayText(date)): string {
  return `${day}\n${timesText({ ...serviceOn(schedule, date), timeZone: schedule.timeZone })}`
}

/** When and where the service is, whom to ask, and what first-time visitors want to know. */
function about(event: EventPayload, when = `${event.date}\n${event.time}`, isFirstVisit = false): Part[] {
  const { eventTitle, title, location, mapLink = placeLink(location), contact } = event
  const { whatToExpect, parking, children }: Partial<EventPayload> = isFirstVisit ? event : {}
  return [
    ...fact(eventTitle ?? title, when),
    ...fact(t('Location'), location),
    mapLink !== undefined && ['dd', t('Directions'), mapLink],
    ...fact(t('Questions?'), contact),
    ...fact(t('What to Expect'), whatToExpect),
    ...fact(t('Parking'), parking),
    ...fact(t('Children'), children),
  ]
}

function fact(term: string, text = ''): Part[] {
  return [text && ['dt', isolated(term)], text && ['dd', isolated(text)]]
}

async function draftLinks({ key, address }: QueuedMail, call: Context): Promise<Draft | undefined> {
  const links = address === null ? [] : await makeMailedLinks(address, call)
  if (address === null || links.length === 0) return undefined
  return [
    { to: address, subject: t('Your private link') },
    key.startsWith(MERGED_LINK) &&
      t('The church has combined RSVPs that were sent in your name. Earlier links no longer work; these do.'),
    t('Here you can see, change or withdraw what you have told us:'),
    ...links.map(({ name, day, secret }): Part => {
      const text = safeLine(name) + comma() + (day === undefined ? t('every week') : dayText(day))
      return ['li', text, call.linkTo(`/answer?key=${secret}`)]
    }),
    ...about(call.event),
  ]
}

async function draftSheet({ key }: QueuedMail, call: Context): Promise<Draft | undefined> {
  const week = key.split(' ')[1] ?? ''
  // The service may have been skipped or moved meanwhile.
  if (currentService(await readSchedule(), call.now).date !== week) return undefined
  const subject = `Who is expected on ${dayText(week)}`
  const sheet = await getSheet({ week }, call).catch((error) => {
    if (error instanceof UserError && error.code === 'too-large') return error
    throw error
  })
  if (sheet instanceof UserError) return [{ subject }, sheet.message]
  const { service, people, roles, households } = sheet
  return [
    { subject },
    `${timesText(service)}: ${plural(people.expected, '{count} person', '{count} people')} expected`,
    roles.length > 0 && 'Who serves:',
    ...roles.map(({ name, people, needed, missing }): Part => {
      const names = [...people.map(safeLine), ...(missing > 0 ? [`${missing} of ${needed} missing`] : [])]
      return ['li', `${name}: ${names.join(', ') || 'no one yet'}`]
    }),
    'By family name:',
    ...households.map(({ familyName, firstVisit, people }): Part => {
      const names = people.map(({ name }) => safeLine(name)).join(', ')
      return ['li', `${firstVisit ? '★ ' : ''}${safeLine(familyName)}: ${names}`]
    }),
    households.some(({ firstVisit }) => firstVisit) && '★ here for the first time',
    ['p', 'Open the sheet', call.linkTo(sheetAddress({ week }))],
  ]
}

async function draftDigest(mail: QueuedMail, call: Context): Promise<Draft | undefined> {
  const news = await listNews(mail)
  if (news.length === 0) return undefined
  return [
    { subject: `New responses: ${news.length}` },
    ...news.map((rsvp): Part => {
      const { coming, roles, firstVisit } = recordedOfStored(rsvp, true)
      const people = coming.length === 0 ? 'cannot come' : plural(coming.length, '{count} person', '{count} people')
      const facts = [dayText(rsvp.serviceDate), people, ...roles]
      return ['li', `${safeLine(rsvp.name)}${firstVisit ? ' (first visit)' : ''}: ${facts.join(', ')}`]
    }),
    ['p', 'Open the administration', call.linkTo('/admin')],
  ]
}

async function draftPrayer({ prayerId }: QueuedMail, call: Context): Promise<Draft | undefined> {
  const prayer = (await listPrayers(call)).find(({ id }) => id === prayerId)
  if (prayer === undefined) return undefined
  const whom = { service: 'for the service', group: 'for those who pray', pastor: 'for the pastor alone' }
  return [
    { subject: 'A prayer request' },
    `From ${safeLine(prayer.name)}, ${whom[prayer.audience]}:`,
    ['blockquote', safeLines(prayer.text)],
    ['p', 'Open the prayer requests', call.linkTo(PRAYERS)],
  ]
}
