import { eq } from 'drizzle-orm'
import ICAL from 'ical.js'
import MailComposer from 'nodemailer/lib/mail-composer'
import PostalMime from 'postal-mime'
import { beforeEach, describe, expect, it } from 'vitest'
import { administrators } from '#db/access/table.ts'
import { servicesIn } from '#db/calendar/calendar-fixtures.ts'
import { changeEvent } from '#db/event/operations.ts'
import { eventTranslations } from '#db/event/table.ts'
import { saveEventTranslation } from '#db/event/translations.ts'
import { changeFeatures } from '#db/feature/operations.ts'
import { addAdministrator, emptyTables, openForTests, testCall, testEvent, testRsvp } from '#db/fixtures.ts'
import { languages } from '#db/language/languages.ts'
import type { Message } from '#db/mail/message.ts'
import { queueMail } from '#db/mail/queue.ts'
import { mailQueue } from '#db/mail/table.ts'
import { prayers } from '#db/prayer/table.ts'
import { withdrawOwnRsvp } from '#db/private-link/operations.ts'
import { privateLinks } from '#db/private-link/table.ts'
import { hashOfLinkSecret } from '#db/rsvp/link-secret.ts'
import { changeVolunteerRole } from '#db/rsvp/roles.ts'
import { changeSchedule } from '#db/rsvp/service-dates.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { schedules, skippedDates } from '#db/schedule/table.ts'
import { standingRsvps } from '#db/standing/table.ts'
import { db, transaction } from '#db/storage/client.ts'
import { compose } from './compose.ts'

const call = testCall({ role: 'visitor', actor: 'visitor', language: 'en' })
const family = [
  { name: 'Ben Cole', age: 'child' },
  { name: 'Cy Cole', attending: false },
]
/** Breaks out of headers, of HTML and of lines, and advertises. */
const evil = '<img src=x onerror=1>"\'\r\nBcc: all@evil.example http://evil.example/win'

type Row = Partial<typeof mailQueue.$inferInsert>

async function queued(kind: typeof mailQueue.$inferInsert.kind, row: Row): Promise<typeof mailQueue.$inferSelect> {
  const times = { dueAt: '2025-01-05T15:00:00.000Z', endsAt: '2025-01-11T16:00:00.000Z' }
  const key = row.key ?? `${kind} ${crypto.randomUUID()}`
  await transaction((tx) => queueMail(tx, [{ kind, ...times, ...row, key }], call.now))
  const [mail] = await db.select().from(mailQueue).where(eq(mailQueue.key, key))
  if (mail === undefined) throw new Error('Not queued.')
  return mail
}

async function composed(kind: typeof mailQueue.$inferInsert.kind, row: Row): Promise<Message | undefined> {
  return compose(await queued(kind, row), (path) => `https://rsvp.example.org${path}`, call.now)
}

/** As a mail program reads it once it was sent. */
async function received(kind: typeof mailQueue.$inferInsert.kind, row: Row) {
  const message = await composed(kind, row)
  if (message === undefined) throw new Error('There is nothing to send.')
  const { to: address, calendar, ...content } = message
  const attachments = calendar === undefined ? [] : [{ filename: 'service.ics', content: calendar }]
  const built = new MailComposer({ ...content, to: { name: '', address }, from: 'us@rsvp.example.org', attachments })
  const {
    headers,
    to,
    subject = '',
    text = '',
    html = '',
    ...read
  } = await PostalMime.parse(await built.compile().build())
  return { headers: headers.map(({ key }) => key), to, subject, text, html, calendar, files: read.attachments.length }
}

async function send(changes: Record<string, unknown> = {}): Promise<{ id: number; secret: string }> {
  const sent = { ...testRsvp({ familyMembers: family, ...changes }), idempotencyKey: crypto.randomUUID() }
  const { id, linkSecret = '' } = await createRsvp(sent, call)
  return { id, secret: linkSecret }
}

/** What the secrets in a message open. */
async function opened(text: string) {
  const secrets = Array.from(
    text.matchAll(/https:\/\/rsvp\.example\.org\/answer\?key=([\w-]{22})\s/g),
    ([, secret]) => secret,
  )
  const links = await db.select().from(privateLinks)
  return secrets.map((secret) => links.find(({ hash }) => hash === hashOfLinkSecret(secret ?? '')))
}

describe('a message', () => {
  openForTests()
  beforeEach(async () => {
    await emptyTables(mailQueue, prayers, privateLinks, rsvps, standingRsvps, administrators, eventTranslations)
    await emptyTables(schedules, skippedDates)
    await changeFeatures({ calendarIntegration: true, familyRsvp: true, volunteerSignup: true }, testCall())
    await changeEvent(testEvent({ mapLink: 'https://maps.example.org/?a=1&b=2' }), testCall())
    await changeSchedule({ weekday: 6, startTime: '10:00', timeZone: 'America/Chicago' }, testCall())
  })

  it('confirms what was sent, with a link of its own and the service for a calendar', async () => {
    const { id, secret } = await send({ volunteerRoles: [1], message: 'Pray for us' })
    const { to, subject, text, html, calendar = '', files } = await received('confirmation', { rsvpId: id })
    expect([to, subject, files]).toEqual([
      [{ name: '', address: 'ana@cole.example' }],
      'Your RSVP for Saturday, January 11',
      1,
    ])
    for (const said of [
      'Saturday, January 11, 10:00 AM to 12:00 PM',
      '123 Main Street, Springfield',
      'Coming: Ana Cole and Ben Cole',
      'You offered to help with: Greeter',
    ]) {
      expect(text).toContain(`- ${said}\n`)
      expect(html).toContain(`>${said}</li>`)
    }
    expect(text + html).not.toMatch(/Pray|Cy Cole|every week/i)
    expect(await opened(text)).toMatchObject([{ purpose: 'change', rsvpId: id, standingId: null }])
    expect(text).not.toContain(secret)
    expect(text).toMatch(/Stop all messages to this address:\nhttps:\/\/rsvp\.example\.org\/mail\/stop\?key=/)
    expect(html).toContain('href="https://maps.example.org/?a=1&#38;b=2"')
    expect(servicesIn(calendar, '2030-01-01T00:00:00Z')).toEqual([
      { startsAt: '2025-01-11T16:00:00.000Z', endsAt: '2025-01-11T18:00:00.000Z' },
    ])
    expect(ICAL.parse(calendar)).toBeDefined()
  })

  it('only thanks a sender who cannot come, and names those who come without the sender', async () => {
    const away = await received('confirmation', { rsvpId: (await send({ attending: false, familyMembers: [] })).id })
    expect(away.text).toMatch(
      /Thank you, Ana Cole\n\nWe have written down that you cannot come\.\n\nChange or withdraw:/,
    )
    expect(away.files).toBe(0)
    const others = await received('confirmation', { rsvpId: (await send({ attending: false, name: 'Di Cole' })).id })
    expect(others.text).toContain('Coming without you: Ben Cole\n')
  })

  it('names, for every week, the roles that others fill, and links to all weeks', async () => {
    await changeVolunteerRole({ id: '1', needed: 1 }, testCall())
    const { id } = await send({ standing: true, remind: true })
    await transaction((tx) => tx.update(standingRsvps).set({ volunteerRoles: [1, 2] }))
    await send({ name: 'Eve', email: 'eve@cole.example', volunteerRoles: [1, 2] })
    const { subject, text, files } = await received('reminder', { rsvpId: id, key: `reminder ${id} 2025-01-11` })
    expect([subject, files]).toEqual(['A reminder for Saturday, January 11', 0])
    expect(text).toContain('- Filled by others for this service: Greeter\n- Every week: you are expected')
    expect(await opened(text)).toMatchObject([{ rsvpId: null, standingId: expect.any(Number) }])
    await changeVolunteerRole({ id: '1', needed: null }, testCall())
  })

  it.each<[string, (id: number, secret: string) => Promise<unknown>]>([
    ['withdrawn', (_, linkSecret) => withdrawOwnRsvp({ linkSecret }, call)],
    ['sent again', () => send()],
    ['anonymized', (id) => change(id, { name: 'Anonymous', email: '' })],
    ['for a service that is skipped now', () => changeSchedule({ skippedDates: ['2025-01-11'] }, testCall())],
    ['for a service that is over', (id) => change(id, { serviceDate: '2025-01-04' })],
    ['erased', (id) => transaction((tx) => tx.delete(rsvps).where(eq(rsvps.id, id)))],
  ])('is not sent about an RSVP that was %s meanwhile', async (_, happens) => {
    const { id, secret } = await send({ remind: true })
    const mails = [
      await queued('confirmation', { rsvpId: id }),
      await queued('reminder', { rsvpId: id, key: `reminder ${id} 2025-01-11` }),
    ]
    await happens(id, secret)
    for (const mail of mails) expect(await compose(mail, String, call.now)).toBeUndefined()
    expect(await db.select().from(privateLinks)).toEqual([])
  })

  it('says what an RSVP says now, and reminds no one who no longer wishes that', async () => {
    const { id } = await send({ remind: true })
    await change(id, { name: 'Zoe Cole', serviceDate: '2025-01-18' })
    expect((await received('confirmation', { rsvpId: id })).text).toMatch(/Saturday, January 18.*Coming: Zoe Cole/s)
    expect(await composed('reminder', { rsvpId: id, key: `reminder ${id} 2025-01-11` })).toBeUndefined()
    await change(id, { serviceDate: '2025-01-11', remind: false })
    expect(await composed('reminder', { rsvpId: id, key: `reminder ${id} x 2025-01-11` })).toBeUndefined()
  })

  it('gives an address the links of all that it has sent, and an unknown one nothing', async () => {
    const weekly = await send({ standing: true })
    const single = await send({ name: 'Di Cole', email: 'Ana@Cole.example', serviceDate: '2025-01-18' })
    await send({ email: 'other@cole.example' })
    const { text } = await received('link', { address: 'ANA@cole.example' })
    expect(text).toMatch(/- Ana Cole, every week:\n.*- Di Cole, Saturday, January 18:\n/s)
    const [one, other] = await opened(text)
    expect([one?.standingId, other?.rsvpId]).toEqual([expect.any(Number), single.id])
    expect(weekly.id).not.toBe(single.id)
    expect(await composed('link', { address: 'nobody@cole.example' })).toBeUndefined()
  })

  it('asks once whether a household still comes, and not after it has said so', async () => {
    await send({ standing: true })
    const [{ id: standingId = 0, seenAt = '' } = {}] = await db.select().from(standingRsvps)
    const ask = (askedAt: string) => transaction((tx) => tx.update(standingRsvps).set({ askedAt }))
    await ask(seenAt)
    const { text } = await received('still-coming', { standingId })
    expect(text).toMatch(/last heard from you on Jan 5, 2025\..*from Jan 5, 2026 on\./s)
    expect(await opened(text)).toMatchObject([{ standingId }])
    await ask('2025-01-01T00:00:00.000Z')
    expect(await composed('still-coming', { standingId })).toBeUndefined()
  })

  it('shows those who wish it the sheet, with a star but without messages and contact data', async () => {
    const administratorId = await addAdministrator({ role: 'reader', mail: ['sheet'] })
    await send({ firstVisit: true, phone: '555-0142', message: 'Pray for us', volunteerRoles: [1] })
    const sheet = { administratorId, key: `sheet 2025-01-11 ${administratorId}` }
    const { subject, text, html } = await received('sheet', sheet)
    expect(subject).toBe('Who is expected on Saturday, January 11')
    expect(text).toMatch(
      /2 people expected, adults: 1, children: 1.*- Greeter: Ana Cole\n.*- ★ Cole: Ana Cole, Ben Cole \(child\)\n/s,
    )
    expect(text).toContain('https://rsvp.example.org/admin/sheet?week=2025-01-11\n')
    expect(text + html).not.toMatch(/555|Pray|ana@/)
    await transaction((tx) => tx.update(administrators).set({ removedAt: 1 }))
    expect(await composed('sheet', { administratorId, key: 'sheet 2025-01-11 1 again' })).toBeUndefined()
  })

  it('tells in a digest what came since the last one, without what counts no more', async () => {
    const administratorId = await addAdministrator({ mail: ['digest'] })
    await send({ name: 'Eve', firstVisit: true, volunteerRoles: [1] })
    await send({ name: 'Eve', firstVisit: true, volunteerRoles: [1] })
    await send({ name: 'Flo', attending: false, familyMembers: [] })
    const { subject, text } = await received('digest', { administratorId })
    expect(subject).toBe('New responses: 2')
    expect(text).toContain(
      'For Saturday, January 11: 2 people\n\n- ★ Eve: 2 people, serves: Greeter\n- Flo: cannot come\n',
    )
    expect(await composed('digest', { administratorId, dueAt: '2025-01-06T15:00:00.000Z' })).toBeUndefined()
  })

  it('tells a prayer request only while the person may read it, and not in the subject', async () => {
    const prayer = {
      rsvpId: (await send()).id,
      text: 'For Joel,\nwho is ill',
      audience: 'pastor' as const,
      createdAt: '',
    }
    const [{ id: prayerId = 0 } = {}] = await transaction((tx) => tx.insert(prayers).values(prayer).returning())
    const administratorId = await addAdministrator({ mail: ['prayers'], prayers: 'pastor' })
    const { subject, text } = await received('prayer', { prayerId, administratorId })
    expect([subject, text]).toEqual([
      'A prayer request',
      expect.stringContaining('From Ana Cole:\n\nFor Joel,\nwho is ill\n'),
    ])
    await transaction((tx) => tx.update(administrators).set({ prayers: 'group' }))
    expect(await composed('prayer', { prayerId, administratorId })).toBeUndefined()
    await transaction((tx) => tx.update(administrators).set({ prayers: 'pastor' }))
    await emptyTables(prayers)
    expect(await composed('prayer', { prayerId, administratorId })).toBeUndefined()
  })

  it('shows a name that is an attack as what it is', async () => {
    const administratorId = await addAdministrator({ mail: ['sheet', 'digest'] })
    const rsvpId = (await send({ name: evil, familyMembers: [{ name: evil }], remind: true, standing: true })).id
    const rows: [typeof mailQueue.$inferInsert.kind, Row][] = [
      ['confirmation', { rsvpId }],
      ['link', { address: 'ana@cole.example' }],
      ['sheet', { administratorId, key: 'sheet 2025-01-11 1' }],
      ['digest', { administratorId }],
    ]
    for (const [kind, row] of rows) {
      const { headers, to, subject, text, html } = await received(kind, row)
      expect([headers.includes('bcc'), to?.length, /evil|img/.test(subject)]).toEqual([false, 1, false])
      expect(html).not.toMatch(/<img|<script|src=http|https?:\/\/evil/)
      expect(text).not.toMatch(/^Bcc|https?:\/\/evil|evil\.example/m)
      expect(text).toContain('<img src=x')
    }
  })

  it.each(languages)('is in %s as a whole, with the texts of the church that are translated', async (language) => {
    const location = { en: '123 Main Street', [language]: `Place in ${language}` }[language]
    const texts = { language, location, roles: { 1: `Role in ${language}` } }
    if (language !== 'en') await saveEventTranslation(texts, testCall())
    const { id } = await send({ standing: true, remind: true, volunteerRoles: [1] })
    const [{ id: standingId = 0, seenAt: askedAt = '' } = {}] = await db.select().from(standingRsvps)
    await transaction((tx) => tx.update(standingRsvps).set({ askedAt, volunteerRoles: [1, 2] }))
    const rows = [
      ['confirmation', { rsvpId: id }],
      ['reminder', { rsvpId: id, key: `reminder ${id} 2025-01-11` }],
      ['link', { address: 'ana@cole.example' }],
      ['still-coming', { standingId }],
    ] as const
    for (const [kind, row] of rows) {
      const { subject, text, html } = await received(kind, { ...row, language })
      expect(html).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`)
      expect(/\b(your?|we|the|every|reminder|stop)\b/i.test((subject + text).replace(/https:\S+/g, ''))).toBe(
        language === 'en',
      )
      const isAboutService = kind === 'confirmation' || kind === 'reminder'
      expect(text.includes(`Place in ${language}`)).toBe(isAboutService && language !== 'en')
      expect(text.includes(`Role in ${language}`)).toBe(isAboutService && language !== 'en')
    }
  })
})

async function change(id: number, changes: Partial<typeof rsvps.$inferInsert>): Promise<void> {
  await transaction((tx) => tx.update(rsvps).set(changes).where(eq(rsvps.id, id)))
}
