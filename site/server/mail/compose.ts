import { getCalendarSeries } from '#db/calendar/operations.ts'
import { type CalendarSeries, titleOf } from '#db/calendar/schema.ts'
import { UserError } from '#db/errors.ts'
import { defaultEvent } from '#db/event/default-event.ts'
import { getStoredEvent } from '#db/event/operations.ts'
import { toPayload } from '#db/event/payload.ts'
import type { EventPayload } from '#db/event/schema.ts'
import { findEventTranslation, getEventLanguages } from '#db/event/translations.ts'
import { getFeatures } from '#db/feature/operations.ts'
import type { Language } from '#db/language/languages.ts'
import { findMailedPrayer, findRecipient, listNews } from '#db/mail/administrators.ts'
import type { Compose, Message, QueuedMail } from '#db/mail/message.ts'
import type { MailKind } from '#db/mail/schema.ts'
import { stopPath } from '#db/mail/stops.ts'
import { findAsked, findMailedRsvp, type MailedRsvp, makeMailedLinks } from '#db/mail/visitors.ts'
import type { Call } from '#db/operation.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { getSheet } from '#db/rsvp/sheet.ts'
import { serviceOn } from '#db/schedule/services.ts'
import { readKeyedHash } from '#db/secret/keyed-hash.ts'
import { sheetAddress } from '#site/lib/admin-page.ts'
import { placeLink, shareLink } from '#site/lib/links.ts'
import { inLanguage } from '#site/server/language.ts'
import { siteCall } from '#site/server/site-call.ts'
import { comma, dayText, formatDay, listText } from '#site/texts/dates.ts'
import { timesText } from '#site/texts/schedule.ts'
import { fillIn, plural, roleName, t } from '#site/texts/texts.ts'
import { type Part, typed, writeMessage } from './parts.ts'

type Writer = (mail: QueuedMail, linkTo: (path: string) => string, call: Call) => Promise<Message | undefined>

const FIRST_VISIT: Part = ['paragraph', '★ here for the first time']

export const compose: Compose = (mail, linkTo, now) => writers[mail.kind](mail, linkTo, { ...siteCall(), now })

const writeAboutRsvp: Writer = async (mail, linkTo, call) => {
  const mailed = await findMailedRsvp(mail, call)
  if (mailed === undefined) return undefined
  const { rsvp, secret } = mailed
  const [series, features] = await Promise.all([findSeries(rsvp.serviceDate, call), getFeatures(call)])
  const isReminder = mail.kind === 'reminder'
  // Its day could be wrong if visitors are not shown days.
  if (isReminder && series === undefined) return undefined
  return inLanguageOf(mail.language ?? mailed.language, call, async (event) => {
    const day = series && dayText(rsvp.serviceDate)
    const comes = comingOf(rsvp).length > 0
    const subject = day === undefined ? t('Your RSVP') : t('Your RSVP for {day}', { day })
    const message = writeMessage(rsvp.email, isReminder && day ? t('A reminder for {day}', { day }) : subject, [
      !isReminder && ['paragraph', t('Thank you, {name}', { name: typed(rsvp.name) })],
      !comes && ['paragraph', t('We have written down that you cannot come.')],
      ...(comes ? factsOf(mailed, event, series) : []),
      ['button', t('Change or withdraw'), linkTo(`/answer?key=${secret}`)],
      ['small', `${t('Your private link')}: ${t('Whoever has it can change your RSVP.')}`],
      ...(await footer(rsvp.email, linkTo)),
    ])
    if (series === undefined || !comes || isReminder || !features.calendarIntegration) return message
    // Only now, because it loads a library that the start of the site need not wait for.
    const { writeCalendar } = await import('#db/calendar/ics.ts')
    const calendar = writeCalendar({ ...series, event }, shareLink(linkTo('')), call.now, rsvp.serviceDate)
    return { ...message, calendar }
  })
}

/** @param series undefined if visitors are not shown days. */
function factsOf({ rsvp, filled }: MailedRsvp, event: EventPayload, series: CalendarSeries | undefined): Part[] {
  const { date, time, location, mapLink = placeLink(location) } = event
  const service = series && { ...serviceOn(series.schedule, rsvp.serviceDate), timeZone: series.schedule.timeZone }
  const names = listText(comingOf(rsvp).map(typed))
  const roles = rsvp.attending ? rsvp.volunteerSignups.map(({ role }) => roleName(role.name)) : []
  const facts = [
    fillIn('{title}', { title: titleOf(event, series?.church ?? null) }),
    service ? dayText(service.date) + comma() + timesText(service) : fillIn('{date}, {time}', { date, time }),
    fillIn('{location}', { location }),
    rsvp.attending ? t('Coming: {names}', { names }) : t('Coming without you: {names}', { names }),
    roles.length > 0 && t('You offered to help with: {roles}', { roles: listText(roles) }),
    filled.length > 0 && t('Filled by others for this service: {roles}', { roles: listText(filled.map(roleName)) }),
    rsvp.standing && t('Every week: you are expected at each service until you say otherwise.'),
  ]
  const items = facts.filter((fact) => fact !== false).map((fact): Part => ['item', fact])
  return mapLink === undefined ? items : [...items, ['paragraph', t('Directions'), mapLink]]
}

const writeLinks: Writer = async ({ address, language }, linkTo, call) => {
  const links = address === null ? [] : await makeMailedLinks(address, call)
  if (address === null || links.length === 0) return undefined
  return inLanguageOf(language, call, async () =>
    writeMessage(address, t('Your private link'), [
      ['paragraph', t('Here you can see, change or withdraw what you have told us:')],
      ...links.map(({ name, day, secret }): Part => {
        const text = typed(name) + comma() + (day === undefined ? t('every week') : dayText(day))
        return ['item', text, linkTo(`/answer?key=${secret}`)]
      }),
      ['small', t('Whoever has it can change your RSVP.')],
      ...(await footer(address, linkTo)),
    ]),
  )
}

const writeQuestion: Writer = async (mail, linkTo, call) => {
  const asked = await findAsked(mail, call)
  if (asked === undefined) return undefined
  return inLanguageOf(mail.language ?? asked.language, call, async () => {
    const day = formatDay(asked.seenAt, asked.timeZone)
    const end = formatDay(asked.endsAt, asked.timeZone)
    return writeMessage(asked.email, t('Do you still come every week?'), [
      ['paragraph', t('You have told us that you come every week. We last heard from you on {day}.', { day })],
      [
        'paragraph',
        t('If you do, say so on the page of your private link. If not, we no longer expect you from {end} on.', {
          end,
        }),
      ],
      ['button', t('Your private link'), linkTo(`/answer?key=${asked.secret}`)],
      ...(await footer(asked.email, linkTo)),
    ])
  })
}

// Administrators get English.

const writeSheet: Writer = async (mail, linkTo, call) => {
  const recipient = await findRecipient(mail, 'sheet')
  if (recipient === undefined) return undefined
  const { to, role, ...person } = recipient
  // So that it contains nothing that the person could not see on the site.
  const asPerson: Call = { ...call, role, administrator: { ...person, session: 0, provenAt: 0 } }
  const week = mail.key.split(' ')[1] ?? ''
  const { service, people, roles, households, messages } = await getSheet({ week }, asPerson)
  if (service.skipped) return undefined
  const ages = { adults: people.adults, teens: people.teens, children: people.children, 'age not said': people.notSaid }
  const counts = Object.entries(ages).flatMap(([age, count]) => (count > 0 ? [`${age}: ${count}`] : []))
  return writeMessage(to, `Who is expected on ${dayText(week)}`, [
    ['paragraph', timesText(service)],
    ['paragraph', [`${peopleText(people.expected)} expected`, ...counts].join(', ')],
    ['heading', 'Who serves'],
    ...roles.map(({ name, people, needed, missing }): Part => {
      const names = [...people.map(typed), ...(missing > 0 ? [`${missing} of ${needed} missing`] : [])]
      return ['item', `${name}: ${names.join(', ') || 'no one yet'}`]
    }),
    ['heading', 'By family name'],
    ...households.map(({ familyName, firstVisit, people }): Part => {
      const names = people.map(({ name, age }) => typed(name) + (age === 'adult' || age === null ? '' : ` (${age})`))
      return ['item', `${firstVisit ? '★ ' : ''}${typed(familyName)}: ${names.join(', ')}`]
    }),
    households.some(({ firstVisit }) => firstVisit) && FIRST_VISIT,
    messages.length > 0 && ['paragraph', 'The messages are on the site only.'],
    ['button', 'Open the sheet', linkTo(sheetAddress({ week }))],
    chosen,
  ])
}

const writeDigest: Writer = async (mail, linkTo) => {
  const recipient = await findRecipient(mail, 'digest')
  const news = recipient === undefined ? [] : await listNews(recipient.id, mail.dueAt, mail.id)
  if (recipient === undefined || news.length === 0) return undefined
  return writeMessage(recipient.to, `New responses: ${news.length}`, [
    ...Array.from(Map.groupBy(news, ({ serviceDate }) => serviceDate)).flatMap(([day, sent]): Part[] => [
      ['heading', `For ${dayText(day)}: ${peopleText(sent.flatMap(comingOf).length)}`],
      ...sent.map(newsOf),
    ]),
    news.some(({ firstVisit }) => firstVisit) && FIRST_VISIT,
    ['button', 'Open the administration', linkTo('/admin')],
    chosen,
  ])
}

function newsOf(rsvp: StoredRsvp): Part {
  const roles = rsvp.attending ? rsvp.volunteerSignups.map(({ role }) => role.name) : []
  const people = comingOf(rsvp).length
  const serves = roles.length > 0 ? `, serves: ${roles.join(', ')}` : ''
  return [
    'item',
    `${rsvp.firstVisit ? '★ ' : ''}${typed(rsvp.name)}: ${people === 0 ? 'cannot come' : peopleText(people)}${serves}`,
  ]
}

const writePrayer: Writer = async (mail, linkTo) => {
  const recipient = await findRecipient(mail, 'prayers')
  const prayer = recipient && (await findMailedPrayer(mail, recipient))
  if (recipient === undefined || prayer === undefined) return undefined
  return writeMessage(recipient.to, 'A prayer request', [
    ['paragraph', `From ${typed(prayer.name)}:`],
    ['quote', prayer.text],
    ['button', 'Open the prayer requests', linkTo('/admin/prayers')],
    chosen,
  ])
}

const chosen: Part = ['small', 'You have chosen to get this, in Settings under Your account.']

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

/** The names of those who come. */
function comingOf({ name, attending, familyMembers }: StoredRsvp): string[] {
  return [{ name, attending }, ...familyMembers].filter((person) => person.attending).map((person) => person.name)
}

async function footer(address: string, linkTo: (path: string) => string): Promise<Part[]> {
  const site = new URL(linkTo('')).host
  return [
    ['small', t('You get this because your email address was given with an RSVP at {site}.', { site })],
    ['small', t('Stop all messages to this address'), linkTo(stopPath(address, await readKeyedHash()))],
  ]
}

/** Undefined if visitors are not shown days. */
async function findSeries(date: string, call: Call): Promise<CalendarSeries | undefined> {
  try {
    return await getCalendarSeries({ date }, call)
  } catch (error) {
    if (error instanceof UserError && error.code === 'not-found') return undefined
    throw error
  }
}

/** Runs `make` with the texts of the event in a language, or as the church wrote them where they are not translated. */
async function inLanguageOf(
  wanted: Language | null,
  call: Call,
  make: (event: EventPayload) => Promise<Message>,
): Promise<Message> {
  const language = wanted ?? (await getEventLanguages(call)).language
  const [stored, translation] = await Promise.all([getStoredEvent(call), findEventTranslation({ language }, call)])
  const event = { ...(stored?.event ?? toPayload(defaultEvent)), ...translation.texts }
  return inLanguage(language, () => make(event), { language: translation.language, names: translation.roles })
}
