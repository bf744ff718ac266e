import { getCalendarSeries } from '#db/calendar/operations.ts'
import { type CalendarSeries, titleOf } from '#db/calendar/schema.ts'
import { UserError } from '#db/errors.ts'
import { defaultEvent } from '#db/event/default-event.ts'
import { getStoredEvent } from '#db/event/operations.ts'
import { toPayload } from '#db/event/payload.ts'
import type { EventPayload } from '#db/event/schema.ts'
import { findEventTranslation, getEventLanguages } from '#db/event/translations.ts'
import { getFeatures } from '#db/feature/operations.ts'
import { findRecipient, listNews } from '#db/mail/administrators.ts'
import type { Compose, Message, QueuedMail } from '#db/mail/message.ts'
import type { MailChoice, MailKind } from '#db/mail/schema.ts'
import { stopPath } from '#db/mail/stops.ts'
import { findAsked, findMailedRsvp, makeMailedLinks } from '#db/mail/visitors.ts'
import type { Call } from '#db/operation.ts'
import { listPrayers } from '#db/prayer/operations.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { getSheet } from '#db/rsvp/sheet.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import { currentService, serviceOn } from '#db/schedule/services.ts'
import { readKeyedHash } from '#db/secret/keyed-hash.ts'
import { PRAYERS, sheetAddress } from '#site/lib/admin-page.ts'
import { placeLink, shareLink } from '#site/lib/links.ts'
import { inLanguage } from '#site/server/language.ts'
import { siteCall } from '#site/server/site-call.ts'
import { comma, dayText, formatDay, listText } from '#site/texts/dates.ts'
import { timesText } from '#site/texts/schedule.ts'
import { fillIn, plural, roleName, t } from '#site/texts/texts.ts'
import { type Optional, type Part, typed, writeMessage } from './parts.ts'

/** `linkTo` adds the origin to a path of the site. */
type Context = Call & { linkTo: (path: string) => string }
type Writer = (mail: QueuedMail, call: Context) => Promise<Message | undefined>
type Draft = [subject: string, ...parts: Optional[]]

const FIRST_VISIT = '★ here for the first time'
const CHOSEN: Part = ['small', 'You have chosen to get this, in Settings under Your account.']

export const compose: Compose = (mail, linkTo, now) => writers[mail.kind](mail, { ...siteCall(), now, linkTo })

const writeAboutRsvp: Writer = async (mail, call) => {
  const { rsvp, secret } = (await findMailedRsvp(mail, call)) ?? {}
  if (rsvp === undefined) return undefined
  const [series, features] = await Promise.all([findSeries(rsvp.serviceDate, call), getFeatures(call)])
  const isReminder = mail.kind === 'reminder'
  // Its day could be wrong if visitors are not shown days.
  if (isReminder && series === undefined) return undefined
  const comes = comingOf(rsvp).length > 0
  const message = await writeToVisitor(rsvp.email, mail, call, (event): Draft => {
    const day = dayText(rsvp.serviceDate)
    const confirmed = series === undefined ? t('Your RSVP') : t('Your RSVP for {day}', { day })
    return [
      isReminder ? t('A reminder for {day}', { day }) : confirmed,
      !isReminder && t('Thank you, {name}', { name: typed(rsvp.name) }),
      ...(comes ? factsOf(rsvp, event, series) : [t('We have written down that you cannot come.')]),
      ['p', t('Change or withdraw'), call.linkTo(`/answer?key=${secret}`)],
      ['small', `${t('Your private link')}: ${t('Whoever has it can change your RSVP.')}`],
    ]
  })
  if (series === undefined || !comes || isReminder || !features.calendarIntegration) return message
  // Only now, because it loads a library that the start of the site need not wait for.
  const { writeCalendar } = await import('#db/calendar/ics.ts')
  return { ...message, calendar: writeCalendar(series, shareLink(call.linkTo('')), call.now, rsvp.serviceDate) }
}

/** @param series undefined if visitors are not shown days. */
function factsOf(rsvp: StoredRsvp, event: EventPayload, series: CalendarSeries | undefined): Optional[] {
  const { date, time, location, mapLink = placeLink(location) } = event
  const service = series && { ...serviceOn(series.schedule, rsvp.serviceDate), timeZone: series.schedule.timeZone }
  const names = listText(comingOf(rsvp).map(typed))
  const roles = listText(rolesOf(rsvp).map(roleName))
  const facts = [
    fillIn('{title}', { title: titleOf(event, series?.church ?? null) }),
    service ? dayText(service.date) + comma() + timesText(service) : fillIn('{date}, {time}', { date, time }),
    fillIn('{location}', { location }),
    rsvp.attending ? t('Coming: {names}', { names }) : t('Coming without you: {names}', { names }),
    roles && t('You offered to help with: {roles}', { roles }),
    rsvp.standing && t('Every week: you are expected at each service until you say otherwise.'),
  ]
  return [...facts.map((fact): Optional => fact && ['li', fact]), mapLink && ['li', t('Directions'), mapLink]]
}

const writeLinks: Writer = async (mail, call) => {
  const address = mail.address ?? ''
  const links = await makeMailedLinks(address, call)
  if (links.length === 0) return undefined
  return writeToVisitor(address, mail, call, () => [
    t('Your private link'),
    t('Here you can see, change or withdraw what you have told us:'),
    ...links.map(({ name, day, secret }): Part => {
      const text = typed(name) + comma() + (day === undefined ? t('every week') : dayText(day))
      return ['li', text, call.linkTo(`/answer?key=${secret}`)]
    }),
    ['small', t('Whoever has it can change your RSVP.')],
  ])
}

const writeQuestion: Writer = async (mail, call) => {
  const asked = await findAsked(mail, call)
  if (asked === undefined) return undefined
  return writeToVisitor(asked.email, mail, call, () => {
    const [day = '', end = ''] = [asked.seenAt, asked.endsAt].map((moment) => formatDay(moment, asked.timeZone))
    return [
      t('Do you still come every week?'),
      t('You have told us that you come every week. We last heard from you on {day}.', { day }),
      t('If you do, say so on the page of your private link. If not, we no longer expect you from {end} on.', {
        end,
      }),
      ['p', t('Your private link'), call.linkTo(`/answer?key=${asked.secret}`)],
    ]
  })
}

/** In the language of the mail, with the texts of the event as far as they are translated. */
async function writeToVisitor(to: string, mail: QueuedMail, call: Context, draft: (event: EventPayload) => Draft) {
  const language = mail.language ?? (await getEventLanguages(call)).language
  const [stored, translation] = await Promise.all([getStoredEvent(call), findEventTranslation({ language }, call)])
  const event = { ...(stored?.event ?? toPayload(defaultEvent)), ...translation.texts }
  const [site, stop] = [new URL(call.linkTo('')).host, call.linkTo(stopPath(to, await readKeyedHash()))]
  const write = () => {
    const reason = t('You get this because your email address was given with an RSVP at {site}.', { site })
    return writeMessage(to, ...draft(event), ['small', reason], ['small', t('Stop all messages to this address'), stop])
  }
  return inLanguage(language, write, { language: translation.language, names: translation.roles })
}

/** Undefined if visitors are not shown days. */
function findSeries(date: string, call: Call): Promise<CalendarSeries | undefined> {
  return getCalendarSeries({ date }, call).catch((error) => {
    if (error instanceof UserError && error.code === 'not-found') return undefined
    throw error
  })
}

// Administrators get English.

const writeSheet = toAdministrator('sheet', async ({ key }, call) => {
  const week = key.split(' ')[1] ?? ''
  // The service may have been skipped or moved since.
  if (currentService(await readSchedule(), call.now).date !== week) return undefined
  const { service, people, roles, households, messages } = await getSheet({ week }, call)
  const ages = { adults: people.adults, teens: people.teens, children: people.children, 'age not said': people.notSaid }
  const counts = Object.entries(ages).flatMap(([age, count]) => (count > 0 ? [`${age}: ${count}`] : []))
  return [
    `Who is expected on ${dayText(week)}`,
    timesText(service),
    [`${peopleText(people.expected)} expected`, ...counts].join(', '),
    ['h2', 'Who serves'],
    ...roles.map(({ name, people, needed, missing }): Part => {
      const names = [...people.map(typed), ...(missing > 0 ? [`${missing} of ${needed} missing`] : [])]
      return ['li', `${name}: ${names.join(', ') || 'no one yet'}`]
    }),
    ['h2', 'By family name'],
    ...households.map(({ familyName, firstVisit, people }): Part => {
      const names = people.map(({ name, age }) => typed(name) + (age === 'adult' || age === null ? '' : ` (${age})`))
      return ['li', `${starOf(firstVisit)}${typed(familyName)}: ${names.join(', ')}`]
    }),
    households.some(({ firstVisit }) => firstVisit) && FIRST_VISIT,
    messages.length > 0 && 'The messages are on the site only.',
    ['p', 'Open the sheet', call.linkTo(sheetAddress({ week }))],
  ]
})

const writeDigest = toAdministrator('digest', async (mail, call) => {
  const news = await listNews(mail)
  if (news.length === 0) return undefined
  const days = Array.from(Map.groupBy(news, ({ serviceDate }) => serviceDate))
  return [
    `New responses: ${news.length}`,
    ...days.flatMap(([day, sent]): Part[] => [
      ['h2', `For ${dayText(day)}: ${peopleText(sent.flatMap(comingOf).length)}`],
      ...sent.map((rsvp): Part => {
        const count = comingOf(rsvp).length
        const serves = rolesOf(rsvp).join(', ')
        const says = (count === 0 ? 'cannot come' : peopleText(count)) + (serves && `, serves: ${serves}`)
        return ['li', `${starOf(rsvp.firstVisit)}${typed(rsvp.name)}: ${says}`]
      }),
    ]),
    news.some(({ firstVisit }) => firstVisit) && FIRST_VISIT,
    ['p', 'Open the administration', call.linkTo('/admin')],
  ]
})

const writePrayer = toAdministrator('prayers', async ({ prayerId }, call) => {
  const prayer = (await listPrayers(call)).find(({ id }) => id === prayerId)
  if (prayer === undefined) return undefined
  const link: Part = ['p', 'Open the prayer requests', call.linkTo(PRAYERS)]
  return ['A prayer request', `From ${typed(prayer.name)}:`, ['blockquote', prayer.text], link]
})

/** A message contains nothing that its reader could not see on the site: it is drafted with the call of that person. */
function toAdministrator(
  choice: MailChoice,
  draft: (mail: QueuedMail, call: Context) => Promise<Draft | undefined>,
): Writer {
  return async (mail, call) => {
    const recipient = await findRecipient(mail, choice)
    const drafted = recipient && (await draft(mail, { ...call, ...recipient.caller }))
    return recipient && drafted && writeMessage(recipient.to, ...drafted, CHOSEN)
  }
}

const writers: Record<MailKind, Writer> = {
  confirmation: writeAboutRsvp,
  reminder: writeAboutRsvp,
  link: writeLinks,
  'still-coming': writeQuestion,
  sheet: writeSheet,
  digest: writeDigest,
  prayer: writePrayer,
}

function peopleText(count: number): string {
  return plural(count, '{count} person', '{count} people')
}

function starOf(firstVisit: boolean): string {
  return firstVisit ? '★ ' : ''
}

/** The names of those who come. */
function comingOf({ name, attending, familyMembers }: StoredRsvp): string[] {
  return [{ name, attending }, ...familyMembers].filter((person) => person.attending).map((person) => person.name)
}

function rolesOf({ attending, volunteerSignups }: StoredRsvp): string[] {
  return attending ? volunteerSignups.map(({ role }) => role.name) : []
}
