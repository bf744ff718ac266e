import { beforeEach, describe, expect, it } from 'vitest'
import { servicesIn } from '#db/calendar/calendar-fixtures.ts'
import { changeChurch } from '#db/church.ts'
import { changeEvent, saveEventTranslation } from '#db/event.ts'
import { changeFeatures } from '#db/features.ts'
import { MERGED_LINK, type QueuedMail } from '#db/mail/queue.ts'
import { changeSchedule } from '#db/rsvp/change-schedule.ts'
import { eraseRsvps } from '#db/rsvp/delete.ts'
import * as mails from '#db/rsvp/mail-fixtures.ts'
import { mergeRsvps } from '#db/rsvp/merge.ts'
import { withdrawOwnRsvp } from '#db/rsvp/own-rsvp.ts'
import { forgetOldLinks } from '#db/rsvp/private-links.ts'
import { languages } from '#db/values/languages.ts'
import { addAdministrator, openForTests, testCall, testEvent } from '#testing/database-fixtures.ts'
import { compose } from './compose.ts'

const { addMail, addPrayer, changeAdministrators, changeRsvp, changeStanding, sendRsvp, targetsOf } = mails
const { now } = testCall()
const familyMembers = [
  { name: 'Ben Cole', age: 'child' },
  { name: 'Cy Cole', attending: false },
]
/** A name that tries to escape from HTML, its line and its direction, and that advertises. */
const evil = '<img src=x onerror=1>"\'\r\nBcc: all@evil.example \u202ehttp://evil.example/win'

const composed = async (kind: QueuedMail['kind'], row: Partial<QueuedMail>) =>
  compose(await addMail(kind, row), (path) => `https://rsvp.example.org${path}`, now)

async function received(kind: QueuedMail['kind'], row: Partial<QueuedMail>) {
  const message = await composed(kind, row)
  if (message === undefined) throw new Error('There is nothing to send.')
  return message
}

describe('a message', () => {
  openForTests()
  beforeEach(async () => {
    await mails.emptyMail()
    await changeFeatures({ calendarIntegration: true, familyRsvp: true, volunteerSignup: true }, testCall())
    await changeChurch({ name: 'Grace Church', accent: 'teal' }, testCall())
    const texts = { mapLink: 'https://maps.example.org/?a=1&b=2', contact: 'Ruth, 555-0117' }
    await changeEvent(testEvent(texts), testCall())
  })

  it('confirms an RSVP, with a private link and the service as a calendar file', async () => {
    const sent = { familyMembers, volunteerRoles: [1], message: 'Pray for us' }
    const { id: rsvpId, linkSecret } = await sendRsvp(sent)
    const { to, subject, text, html, calendar } = await received('confirmation', { rsvpId })
    expect([to, subject]).toEqual(['ana@cole.example', 'Your RSVP for Saturday, January 11'])
    const thanks = 'Thank you, Ana Cole\n- Coming: Ana Cole and Ben Cole\n- You offered to help with: Greeter'
    const when = 'Weekly Service\nSaturday, January 11\n10:00 AM to 12:00 PM'
    const where = 'Location\n123 Main Street, Springfield\nDirections:\nhttps://maps.example.org/?a=1&b=2'
    const blocks = ['Grace Church', 'See you Saturday at 10:00 AM', thanks, when, where, 'Questions?\nRuth, 555-0117']
    expect(text).toMatch(new RegExp(`^${RegExp.escape(blocks.join('\n\n'))}\n\nChange or withdraw:\nhttps:`))
    const shown = html.replace(/<br>/g, '\n')
    for (const line of thanks.split('\n')) expect(shown).toContain(`>${line.replace('- ', '')}</`)
    expect(shown).toContain(`<dl>\n<dt>${when.replace('\n', '</dt>\n<dd>')}</dd>`)
    expect(html).toMatch(/ color: #0b5d66 .* dark\) \{ .* color: #7ec5cf /s)
    expect(text + html).not.toMatch(/Pray|Cy Cole|every week/i)
    expect(await targetsOf(text)).toMatchObject([{ purpose: 'change', rsvpId, standingId: null }])
    expect(text).not.toContain(linkSecret)
    expect(text).toMatch(/Stop all messages to this address:\nhttps:\/\/rsvp\.example\.org\/mail\/stop\?key=/)
    expect(html).toContain('href="https://maps.example.org/?a=1&#38;b=2"')
    const service = { startsAt: '2025-01-11T16:00:00.000Z', endsAt: '2025-01-11T18:00:00.000Z' }
    expect(servicesIn(calendar ?? '', '2030-01-01T00:00:00Z')).toEqual([service])
  })

  it('has the texts for first-time visitors, in their language', async () => {
    await changeEvent(testEvent({ whatToExpect: 'We sing.\nThen coffee.', parking: 'Behind the hall.' }), testCall())
    await saveEventTranslation({ language: 'de', parking: 'Hinter dem Saal.' }, testCall())
    const { id: rsvpId } = await sendRsvp({ firstVisit: true })
    for (const [kind, key] of [['confirmation'], ['reminder', 'reminder 1 2025-01-11']] as const) {
      const { text, html } = await received(kind, { rsvpId, language: 'de', ...(key && { key }) })
      expect(text).toContain('\n\nWas Sie erwartet\nWe sing.\nThen coffee.\n\nParken\nHinter dem Saal.\n\nÄndern')
      expect(html).toContain('<dt>Was Sie erwartet</dt>\n<dd>We sing.<br>Then coffee.</dd>\n<dt>Parken</dt>\n')
    }
    // Each line has a direction of its own.
    expect((await received('confirmation', { rsvpId, language: 'ar' })).html).toContain('.\u2069<br>\u2068Then')
    for (const other of [{ firstVisit: false }, { firstVisit: true, attending: false }]) {
      const { id } = await sendRsvp({ name: 'Bo Roe', ...other })
      expect((await received('confirmation', { rsvpId: id })).text).not.toContain('hall')
    }
  })

  it('only thanks a visitor who does not attend, and names family members who do', async () => {
    await changeChurch({ name: '' }, testCall())
    const { id: alone } = await sendRsvp({ attending: false })
    const away = await received('confirmation', { rsvpId: alone })
    expect(away.text).toMatch(/^Thank you, Ana Cole\n\nWe have written down that you cannot come\.\n\nWeekly/)
    expect(away.text).not.toMatch(/See you|Thank.*Thank/s)
    expect(away.calendar).toBeUndefined()
    const { id: rsvpId } = await sendRsvp({ attending: false, name: 'Di Cole', familyMembers })
    expect((await received('confirmation', { rsvpId })).text).toContain('Di Cole\n- Coming without you: Ben Cole\n')
  })

  it('links a household to all its weeks: for good in a confirmation, until the week is over in a reminder', async () => {
    const { id: rsvpId } = await sendRsvp({ standing: true })
    const { standingId } = await changeStanding({ remind: true })
    const { text } = await received('confirmation', { rsvpId })
    expect(text).toContain('- Every week: you are expected')
    expect(await targetsOf(text)).toMatchObject([{ rsvpId: null, standingId }])
    const reminder = await received('reminder', { rsvpId, key: 'reminder 1 2025-01-11' })
    expect([reminder.subject, reminder.calendar]).toEqual(['A reminder for Saturday, January 11', undefined])
    expect(reminder.text).toMatch(/^Grace Church\n\nSee you Saturday at 10:00 AM\n- Coming: Ana Cole\n/)
    expect(await targetsOf(reminder.text)).toMatchObject([{ rsvpId, standingId: null }])
    await forgetOldLinks(testCall({ now: new Date('2025-02-12T12:00:00Z') }))
    expect(await targetsOf(reminder.text + text)).toMatchObject([undefined, { standingId }])
  })

  it.each<[string, (id: number, linkSecret: string | undefined) => Promise<unknown>]>([
    ['withdrawn', (_, linkSecret) => withdrawOwnRsvp({ linkSecret }, testCall())],
    ['sent again', () => sendRsvp()],
    ['anonymized', (id) => changeRsvp(id, { name: 'Anonymous', email: '' })],
    ['for a service that is skipped now', () => changeSchedule({ skippedDates: ['2025-01-11'] }, testCall())],
    [
      'for a service that has begun',
      async (id) => {
        await changeSchedule({ weekday: 0, startTime: '07:30' }, testCall())
        await changeRsvp(id, { serviceDate: '2025-01-05' })
      },
    ],
    ['erased', () => eraseRsvps({ email: 'ana@cole.example' }, testCall())],
  ])('is not sent about an RSVP that was %s meanwhile', async (_, happens) => {
    const { id: rsvpId, linkSecret } = await sendRsvp()
    const confirmation = await addMail('confirmation', { rsvpId })
    const reminder = await addMail('reminder', { rsvpId, key: `reminder ${rsvpId} 2025-01-11` })
    await happens(rsvpId, linkSecret)
    for (const mail of [confirmation, reminder]) expect(await compose(mail, String, now)).toBeUndefined()
    expect(await mails.countLinks()).toBe(0)
  })

  it('has the current contents of an RSVP, and reminds only those who wish it and come that day', async () => {
    const { id: rsvpId } = await sendRsvp()
    await changeRsvp(rsvpId, { name: 'Zoe Cole', serviceDate: '2025-01-18' })
    expect((await received('confirmation', { rsvpId })).text).toMatch(/Coming: Zoe Cole.*Saturday, January 18/s)
    expect(await composed('reminder', { rsvpId, key: 'reminder 1 2025-01-11' })).toBeUndefined()
    await changeRsvp(rsvpId, { remind: false })
    expect(await composed('reminder', { rsvpId, key: 'reminder 1 2025-01-18' })).toBeUndefined()
  })

  it('has the links of all RSVPs of an address, and is not sent to an unknown address', async () => {
    await sendRsvp({ standing: true })
    const { id: rsvpId } = await sendRsvp({ name: 'Di Cole', email: 'Ana@Cole.example', serviceDate: '2025-01-18' })
    await sendRsvp({ email: 'other@cole.example' })
    const { linkSecret } = await sendRsvp({ name: 'Eva Cole', standing: true })
    await withdrawOwnRsvp({ linkSecret }, testCall())
    const { text } = await received('link', { address: 'ANA@cole.example' })
    expect(text).toMatch(/- Ana Cole, every week:\n.*- Di Cole, Saturday, January 18:\n/s)
    const { standingId } = await changeStanding({ remind: false })
    expect(await targetsOf(text)).toMatchObject([{ standingId }, { rsvpId }])
    const merged = { address: 'ana@cole.example', key: `${MERGED_LINK} 1 2` }
    expect((await received('link', merged)).text).toContain('Earlier links no longer work; these do.')
    expect(text).not.toContain('Earlier links')
    expect(await composed('link', { address: 'none@cole.example' })).toBeUndefined()
  })

  it('has the sheet, with a star for first-time visitors, without messages and contact data', async () => {
    const administratorId = await addAdministrator({ role: 'reader', mail: ['sheet'] })
    const sent = { firstVisit: true, phone: '555-0142', message: 'Pray for us', volunteerRoles: [1] }
    await sendRsvp({ familyMembers, ...sent })
    const { subject, text, html } = await received('sheet', { administratorId, key: 'sheet 2025-01-11 1' })
    expect(subject).toBe('Who is expected on Saturday, January 11')
    expect(text).toMatch(/2 people expected\n.*Who serves:\n- Greeter: Ana Cole\n/s)
    expect(text).toContain('By family name:\n- ★ Cole: Ana Cole, Ben Cole\n\n★ here for the first time\n')
    expect(text).toContain('https://rsvp.example.org/admin/sheet?week=2025-01-11\n')
    expect(text + html).not.toMatch(/555|Pray|ana@/)
    for (const [key, gone] of [
      [2, () => changeSchedule({ weekday: 0 }, testCall())],
      [3, () => changeAdministrators({ removedAt: 1 })],
    ] as const) {
      await gone()
      expect(await composed('sheet', { administratorId, key: `sheet 2025-01-11 ${key}` })).toBeUndefined()
    }
  })

  it('lists in a digest the new RSVPs of a day, without superseded ones', async () => {
    const administratorId = await addAdministrator({ mail: ['digest'] })
    for (const name of ['Eve', 'Eve']) await sendRsvp({ name, firstVisit: true, volunteerRoles: [1] })
    await sendRsvp({ name: 'Flo', attending: false })
    const digest = (day: number) => ({ administratorId, key: `digest 2025-01-0${day} ${administratorId}` })
    const { subject, text } = await received('digest', digest(5))
    expect(subject).toBe('New responses: 2')
    const on = 'Saturday, January 11'
    expect(text).toContain(`- Eve (first visit): ${on}, 1 person, Greeter\n- Flo: ${on}, cannot come\n`)
    expect(await composed('digest', digest(6))).toBeUndefined()
    await sendRsvp({ name: 'Gus', phone: '555 0100' })
    await mergeRsvps({ id: String((await sendRsvp({ name: 'Gus' })).id) }, testCall())
    expect((await received('digest', digest(5))).text).toContain('- Gus:')
    await changeAdministrators({ role: 'reader', seesContacts: true })
    expect(await composed('digest', { ...digest(5), key: 'digest 2025-01-05 2' })).toBeUndefined()
  })

  it('quotes a prayer request, never in the subject', async () => {
    const prayerId = await addPrayer('group')
    const administratorId = await addAdministrator({ role: 'reader', mail: ['prayers'], prayers: 'group' })
    const about = { prayerId, administratorId }
    const { subject, text } = await received('prayer', about)
    expect(subject).toBe('A prayer request')
    expect(text).toContain('From Ana Cole, for those who pray:\n\n> For Joel,\n> who is ill\n')
    // The form was sent again, and the two were merged.
    const { id } = await sendRsvp()
    await mergeRsvps({ id: `${id}` }, testCall())
    expect(await composed('prayer', about)).toBeDefined()
    await changeAdministrators({ prayers: 'none' })
    expect(await composed('prayer', about)).toBeUndefined()
    await changeAdministrators({ prayers: 'group' })
    expect(await composed('prayer', { ...about, prayerId: await addPrayer('pastor') })).toBeUndefined()
  })

  it('shows a name that is an attack as text', async () => {
    const administratorId = await addAdministrator({ mail: ['sheet', 'digest', 'prayers'], prayers: 'pastor' })
    const { id: rsvpId } = await sendRsvp({ name: evil, familyMembers: [{ name: evil }], firstVisit: true })
    const mails = [
      await received('confirmation', { rsvpId }),
      await received('link', { address: 'ana@cole.example' }),
      await received('sheet', { administratorId, key: 'sheet 2025-01-11 1' }),
      await received('digest', { administratorId, key: 'digest 2025-01-05 1' }),
      await received('prayer', { administratorId, prayerId: await addPrayer('pastor', evil, evil) }),
    ]
    for (const { subject, text, html } of mails) {
      expect(subject).not.toMatch(/evil|img/)
      expect(html).not.toMatch(/<img|<script|src=http|https?:\/\/evil/)
      expect(text).not.toMatch(/^Bcc|https?:\/\/evil|evil\.example|\u202e/m)
      expect(text).toContain('<img src=x')
    }
  })

  it.each([
    ...['J.R. Cole', 'Anna/Tom Cole', 'Zoë: 10:30, 1.5 km', 'Cole & Co. e.V.', '한나/요한'].map((name) => [name, name]),
    ['Dr.Müller', 'Dr. Müller'],
    ['Win http://evil.example:80/win', 'Win http:// evil. example: 80/ win'],
    ['ftp://203.0.113.5', 'ftp:// 203. 0. 113. 5'],
    ['WWW.Evil.Example', 'WWW. Evil. Example'],
    ['(bit.ly/x)', '(bit. ly/ x)'],
    ['mailto:ana@evil', 'mailto: ana@ evil'],
    ['evil。example evil．अभी ana＠evil', 'evil。 example evil． अभी ana＠ evil'],
    ['ev\u00adil.\u200bexample evil\u2060․exam\u200dple\u202e', 'evil. example evil․ example'],
    ['evil.अ\u200dभी 203.0.113.5/win 203.0.113.5:80', 'evil. अ\u200dभी 203. 0. 113. 5/ win 203. 0. 113. 5: 80'],
    ...['क्\u200dषमा', 'രാജന്\u200d', '渡邉\u{e0101}', '👩🏽\u200d👧 ❤\ufe0f'].map((name) => [name, name]),
  ])('shows the name %s without a link and without invisible characters', async (name = '', shown = '') => {
    const { id: rsvpId } = await sendRsvp()
    await changeRsvp(rsvpId, { name })
    const { text, html } = await received('confirmation', { rsvpId })
    expect(text).toContain(`Thank you, ${shown}\n`)
    expect(html).toContain(`>Thank you, ${shown.replace('&', '&#38;')}<`)
    expect(text + html).not.toMatch(/(?!\p{Join_Control})\p{Cf}/u)
  })

  it.each(languages)('is completely in %s, with the translated texts of the church', async (language) => {
    const own = { date: 'Sab', location: `Place in ${language}`, roles: { 1: `Role in ${language}` } }
    if (language !== 'en') await saveEventTranslation({ language, ...own }, testCall())
    const { id: rsvpId } = await sendRsvp({ standing: true, volunteerRoles: [1] })
    const mails = [
      await received('confirmation', { rsvpId, language }),
      await received('reminder', { rsvpId, language, key: 'reminder 1 2025-01-11' }),
      await received('link', { address: 'ana@cole.example', language }),
    ]
    for (const { html } of mails)
      expect(html).toContain(`lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"`)
    if (language === 'en') return
    for (const { subject, text } of mails)
      expect((subject + text).replace(/https:\S+/g, '')).not.toMatch(/\b(your?|we|the|every|reminder|stop)\b/i)
    for (const { text } of mails.slice(0, 2)) expect(text).toMatch(/Role in .*Place in /s)
  })
})
