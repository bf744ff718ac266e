import { getCalendarSeries, titleOf } from '#db/calendar/series.ts'
import type { Call } from '#db/call.ts'
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
import type { Audience } from '#db/values/prayer.ts'
import type { StoredRsvp } from '#db/values/rsvp.ts'
import { currentService, serviceOn } from '#db/values/services.ts'
import { PRAYERS, sheetAddress } from '#site/lib/admin-page.ts'
import { placeLink, shareLink } from '#site/lib/links.ts'
import { inLanguage } from '#site/server/language.ts'
import { siteCall } from '#site/server/program.ts'
import { comma, dayText, listText } from '#site/texts/dates.ts'
import { timesText } from '#site/texts/schedule.ts'
import { fillIn, plural, roleName, t } from '#site/texts/texts.ts'
import { type Part, safeLine, safeLines, writeMessage } from './parts.ts'

/** `linkTo` adds the origin to a path of the site. `texts` are the translated texts of the event. */
type Context = Call & { linkTo: (path: string) => string; texts: Partial<EventPayload> }
/** Without `to`, the message goes to the administrator who has chosen it. */
type Draft = [head: { to?: string; subject: string; calendar?: string | undefined }, ...parts: Part[]]

const drafts: Record<MailKind, (mail: QueuedMail, call: Context) => Promise<Draft | undefined>> = {
  confirmation: draftAboutRsvp,
  reminder: draftAboutRsvp,
  link: draftLinks,
  skipped: draftServiceChange,
  held: draftServiceChange,
  sheet: draftSheet,
  digest: draftDigest,
  prayer: draftPrayer,
}
const choices: Partial<Record<MailKind, MailChoice>> = { sheet: 'sheet', digest: 'digest', prayer: 'prayers' }

/**
 * Writes a queued message; undefined if it is no longer to be sent. Visitors get their own language, administrators
 * English. A message to an administrator is drafted with that person's call, so it has nothing that person may not see.
 */
export const compose: Compose = async (mail, linkTo, now) => {
  const call = { ...siteCall(), now, linkTo }
  const choice = choices[mail.kind]
  const reader = choice && (await findRecipient(mail, choice))
  if (choice && !reader) return undefined
  const language = choice ? 'en' : (mail.language ?? (await getEventLanguages()).language)
  const { texts, ...translation } = await findEventTranslation({ language }, call)
  const write = async () => {
    const draft = await drafts[mail.kind](mail, { ...call, ...reader?.caller, texts })
    if (draft === undefined) return undefined
    const [{ to = reader?.to ?? '', subject, calendar }, ...parts] = draft
    const footer = choice ? footerForAdministrator : footerForVisitor(linkTo, stopPath(to, await readKeyedHash()))
    return { to, calendar, ...writeMessage(subject, [...parts, ...footer]) }
  }
  return inLanguage(language, write, { language: translation.language, names: translation.roles })
}

const footerForAdministrator: Part[] = [['small', 'You have chosen to get this, in Settings under Your account.']]

function footerForVisitor(linkTo: Context['linkTo'], stop: string): Part[] {
  const site = new URL(linkTo('')).host
  return [
    ['small', t('You get this because your email address was given with an RSVP at {site}.', { site })],
    ['small', t('Stop all messages to this address'), linkTo(stop)],
  ]
}

/** The confirmation of an RSVP, or a reminder. */
async function draftAboutRsvp(mail: QueuedMail, call: Context): Promise<Draft | undefined> {
  const mailed = await findMailedRsvp(mail, call)
  if (mailed === undefined) return undefined
  const { rsvp, secret } = mailed
  const series = await findSeries(rsvp.serviceDate, call)
  const isReminder = mail.kind === 'reminder'
  // If visitors are not shown days, the day may be wrong.
  if (isReminder && series === undefined) return undefined
  const event = { ...((await getStoredEvent())?.event ?? toPayload(defaultEvent)), ...call.texts }
  const { date, time, location, mapLink = placeLink(location) } = event
  const service = series && { ...serviceOn(series.schedule, rsvp.serviceDate), timeZone: series.schedule.timeZone }
  const day = dayText(rsvp.serviceDate)
  const names = listText(comingNames(rsvp).map(safeLine))
  const roles = listText(offeredRoles(rsvp).map(roleName))
  const facts: Part[] = [
    ['li', fillIn('{title}', { title: titleOf(event, series?.church ?? null) })],
    ['li', service ? day + comma() + timesText(service) : fillIn('{date}, {time}', { date, time })],
    ['li', fillIn('{location}', { location })],
    ['li', rsvp.attending ? t('Coming: {names}', { names }) : t('Coming without you: {names}', { names })],
    roles && ['li', t('You offered to help with: {roles}', { roles })],
    rsvp.standing && ['li', t('Every week: you are expected at each service until you say otherwise.')],
    mapLink && ['li', t('Directions'), mapLink],
  ]
  // Imported only now, so that the start of the site does not wait for the library.
  const hasCalendar = names && !isReminder && (await getFeatures()).calendarIntegration
  const { writeCalendar } = hasCalendar ? await import('#db/calendar/ics.ts') : {}
  const calendar = series && writeCalendar?.(series, shareLink(call.linkTo('')), rsvp.serviceDate)
  const confirmed = series ? t('Your RSVP for {day}', { day }) : t('Your RSVP')
  return [
    { to: rsvp.email, subject: isReminder ? t('A reminder for {day}', { day }) : confirmed, calendar },
    !isReminder && t('Thank you, {name}', { name: safeLine(rsvp.name) }),
    ...(names ? facts : [t('We have written down that you cannot come.')]),
    ...(names && !isReminder && rsvp.firstVisit ? forNewcomers(event) : []),
    ...linkParts(secret, call),
  ]
}

function forNewcomers({ whatToExpect, parking, children, contact }: EventPayload): Part[] {
  const texts: [title: string, text: string | undefined][] = [
    [t('What to Expect'), whatToExpect],
    [t('Parking'), parking],
    [t('Children'), children],
    [t('Questions?'), contact],
  ]
  return texts.map(([title, text]) => text && fillIn(`${title}\n{text}`, { text }))
}

/** The news that a service is skipped, or takes place after all. */
async function draftServiceChange(mail: QueuedMail, call: Context): Promise<Draft | undefined> {
  const mailed = await findMailedRsvp(mail, call)
  if (mailed === undefined) return undefined
  const { rsvp, secret, reason } = mailed
  const schedule = await readSchedule()
  const isSkipped = mail.kind === 'skipped'
  const day = dayText(rsvp.serviceDate)
  const next = currentService(schedule, new Date(serviceOn(schedule, rsvp.serviceDate).endsAt))
  const time = timesText({ ...next, timeZone: schedule.timeZone })
  const subject = isSkipped
    ? t('No service on {day}.', { day })
    : t('The service on {day} takes place after all.', { day })
  return [
    { to: rsvp.email, subject },
    reason ? fillIn('{reason}', { reason }) : false,
    t('You have told us who comes: {names}', { names: listText(comingNames(rsvp).map(safeLine)) }),
    isSkipped && `${t('The next is on {day}.', { day: dayText(next.date) })} ${time}`,
    ...linkParts(secret, call),
  ]
}

function linkParts(secret: string, call: Context): Part[] {
  return [
    ['p', t('Change or withdraw'), call.linkTo(`/answer?key=${secret}`)],
    ['small', `${t('Your private link')}: ${t('Whoever has it can change your RSVP.')}`],
  ]
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
    ['small', t('Whoever has it can change your RSVP.')],
  ]
}

/** The calendar of services; undefined if visitors are not shown days. */
function findSeries(date: string, call: Call) {
  return ifFound(getCalendarSeries({ date }, call))
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
    `${timesText(service)}: ${peopleText(people.expected)} expected`,
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
      const count = comingNames(rsvp).length
      const facts = [dayText(rsvp.serviceDate), count === 0 ? 'cannot come' : peopleText(count), ...offeredRoles(rsvp)]
      return ['li', `${safeLine(rsvp.name)}${rsvp.firstVisit ? ' (first visit)' : ''}: ${facts.join(', ')}`]
    }),
    ['p', 'Open the administration', call.linkTo('/admin')],
  ]
}

async function draftPrayer({ prayerId }: QueuedMail, call: Context): Promise<Draft | undefined> {
  const prayer = (await listPrayers(call)).find(({ id }) => id === prayerId)
  if (prayer === undefined) return undefined
  const { name, text, audience } = prayer
  return [
    { subject: 'A prayer request' },
    `From ${safeLine(name)}, ${audiences[audience]}:`,
    ['blockquote', safeLines(text)],
    ['p', 'Open the prayer requests', call.linkTo(PRAYERS)],
  ]
}

const audiences: Record<Audience, string> = {
  service: 'for the service',
  group: 'for those who pray',
  pastor: 'for the pastor alone',
}

function peopleText(count: number): string {
  return plural(count, '{count} person', '{count} people')
}

/** The names of those who come. */
function comingNames({ name, attending, familyMembers }: StoredRsvp): string[] {
  return [{ name, attending }, ...familyMembers].filter((person) => person.attending).map((person) => person.name)
}

function offeredRoles({ attending, volunteerSignups }: StoredRsvp): string[] {
  return attending ? volunteerSignups.map(({ role }) => role.name) : []
}
