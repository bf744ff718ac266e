import { beforeEach, describe, expect, it } from 'vitest'
import { addAdministrator, openForTests, testCall } from '#db/fixtures.ts'
import { isMailDue, type Sender, sendDue } from '#db/mail/deliver.ts'
import { changeRsvp, emptyMail, sendRsvp, targetsOf } from '#db/mail/mail-fixtures.ts'
import { forgetOldMail } from '#db/mail/operations.ts'
import { queueScheduledMail } from '#db/mail/scheduled.ts'
import { startSmtpServer } from '#db/mail/smtp-fixtures.ts'
import { changeMailStop, stopPath } from '#db/mail/stops.ts'
import { changeSchedule } from '#db/rsvp/service-dates.ts'
import { listToCall } from '#db/rsvp/sheet.ts'
import { skipService, unskipService } from '#db/schedule/skip-fixtures.ts'
import { readKeyedHash } from '#db/secret/keyed-hash.ts'
import { changeSettings } from '#db/settings/operations.ts'
import { compose } from './compose.ts'

const { now } = testCall()

/** Queues and sends what is due at each minute, or less often, as the site does. */
async function sendBetween(mail: Sender['mail'], from: string, until: string, minutes = 1): Promise<void> {
  const never = new AbortController().signal
  const sender = { holder: 'this', mail, compose, origin: 'https://rsvp.example.org', stopping: never, ending: never }
  for (let at = Date.parse(`${from}Z`); at <= Date.parse(`${until}Z`); at += minutes * 60_000) {
    const call = () => testCall({ now: new Date(at), sendsMail: true })
    await queueScheduledMail(call())
    if (await isMailDue(call().now)) await sendDue(sender, call)
  }
}

describe('a message that is sent', () => {
  openForTests()
  beforeEach(emptyMail)

  it('is one for all that a mailbox gets of a kind, names all, and has the links of its own address alone', async () => {
    const { taken, mail } = await startSmtpServer()
    const users = ['Ana', 'ana', 'ANA', ...Array.from({ length: 57 }, (_, at) => `ana+${at}`)]
    for (const [at, user] of users.entries())
      await sendRsvp(
        { name: `Person ${'abcdefgh'[at % 8]}${'abcdefgh'[at >> 3]}`, email: `${user}@cole.example` },
        now,
        true,
      )
    await sendRsvp({ name: 'Bo Roe', email: 'bo@roe.example' })
    await sendBetween(mail, '2025-01-05T14:00', '2025-01-05T14:10')
    await sendBetween(mail, '2025-01-05T15:00', '2025-01-10T15:00', 60)
    const kinds = (subject: string) => taken.filter((each) => each.subject === subject)
    expect(taken).toHaveLength(4)
    expect(kinds('Your RSVP for Saturday, January 11')).toHaveLength(3)
    const [rest] = kinds('Your private link')
    expect(rest?.text?.match(/^- Person .., Saturday, January 11/gm)).toHaveLength(57)
    expect(await targetsOf(rest?.text ?? '')).toHaveLength(1)
    await sendBetween(mail, '2025-01-10T16:00', '2025-01-10T16:01')
    const [reminder, other, ...more] = taken.slice(4)
    expect([reminder?.recipient, other?.recipient, more]).toEqual(['Ana@cole.example', 'bo@roe.example', []])
    expect(new Set(reminder?.text?.match(/Person [a-h]{2}/g)).size).toBe(60)
    expect(await targetsOf(reminder?.text ?? '')).toHaveLength(3)
    expect(reminder?.text).toMatch(/Change or withdraw: Person aa:\nhttps/)
  })

  describe('that a service is skipped', () => {
    const at = (moment: string) => testCall({ now: new Date(`${moment}Z`), sendsMail: true })
    const [monday, tuesday] = ['2025-01-06T14:00', '2025-01-07T14:00']
    const date = '2025-01-11'
    const toCall = async () => (await listToCall({ week: date }, at(tuesday))).people.map(({ name }) => name)
    const stop = async (email: string) =>
      changeMailStop({ key: stopPath(email, await readKeyedHash()).split('key=')[1], stopped: true }, at(monday))

    it('goes to who comes, once for each mailbox, and leaves the others to be called', async () => {
      const { taken, mail } = await startSmtpServer((step, to) =>
        step === 'recipient' && /^(bad|late)/.test(to) ? (to.startsWith('bad') ? 550 : 450) : 'go on',
      )
      for (const name of ['Ana Cole', 'Ana Cole', 'Cy Cole']) await sendRsvp({ name, familyMembers: [{ name: 'Ben' }] })
      await sendRsvp({ name: 'Tag Cole', email: 'Ana+x@cole.example' })
      await sendRsvp({ name: 'No Roe', email: 'no@roe.example', attending: false })
      await sendRsvp({ name: 'Kid Roe', email: 'kid@roe.example', attending: false, familyMembers: [{ name: 'Kim' }] })
      await sendRsvp({ name: 'Later Roe', email: 'later@roe.example', serviceDate: '2025-01-25' })
      await sendRsvp({ name: 'Spam Roe', email: 'spam@roe.example', website: 'x' })
      await sendRsvp({ name: 'Stop Roe', email: 'stop@roe.example' })
      await sendRsvp({ name: 'Bad Roe', email: 'bad@roe.example' })
      await sendRsvp({ name: 'Late Roe', email: 'late@roe.example' })
      await sendRsvp({ name: 'Week Roe', email: 'week@roe.example', standing: true })
      const { id } = await sendRsvp({ name: 'Call Roe' })
      await changeRsvp(id, { email: '' })
      await stop('stop+1@roe.example')
      await skipService({ date, reason: 'The heating is broken.' }, at(monday))
      expect(await toCall()).toEqual(['Call Roe', 'Spam Roe', 'Stop Roe'])
      await sendBetween(mail, '2025-01-06T14:00', '2025-01-06T14:04')
      expect(taken).toEqual([])
      await sendBetween(mail, '2025-01-06T14:05', '2025-01-06T14:07')
      const recipients = ['ana@cole.example', 'kid@roe.example', 'week@roe.example']
      expect(taken.map(({ recipient }) => recipient)).toEqual(recipients)
      const { subject, text = '' } = taken[0] ?? {}
      expect(subject).toBe('No service on Saturday, January 11.')
      expect(text).toContain('\n\nThe heating is broken.\n\n')
      expect(text).toContain('You have told us who comes: Ana Cole, Ben, Cy Cole, and Tag Cole\n')
      expect(text).toContain('The next is on Saturday, January 18. 10:00 AM to 12:00 PM\n')
      expect(text).toMatch(/Stop all messages to this address:\nhttps/)
      expect(await targetsOf(text)).toHaveLength(2)
      expect(await toCall()).toEqual(['Bad Roe', 'Call Roe', 'Late Roe', 'Spam Roe', 'Stop Roe'])
      await skipService({ date }, at(tuesday))
      // That it is held after all reaches the same people, also weeks after.
      await forgetOldMail(at('2025-01-07T15:00'))
      await unskipService({ date }, at(tuesday))
      await sendBetween(mail, '2025-01-07T14:05', '2025-01-07T14:10')
      expect(taken.slice(3).map(({ recipient }) => recipient)).toEqual(recipients)
      expect(taken[3]?.subject).toBe('The service on Saturday, January 11 takes place after all.')
      expect(taken[3]?.text).toContain('You have told us who comes: Ana Cole, Ben, Cy Cole, and Tag Cole\n')
    })

    it('is not said if that is taken back within minutes, nor without a mail server, nor of a service that is over', async () => {
      const { taken, mail } = await startSmtpServer()
      await sendRsvp()
      await changeSchedule({ skippedDates: [date] }, at('2025-01-06T14:00'))
      await changeSchedule({ skippedDates: [] }, at('2025-01-06T14:02'))
      await sendBetween(mail, '2025-01-06T14:03', '2025-01-06T14:20')
      await skipService({ date }, { ...at('2025-01-06T15:00'), sendsMail: false })
      expect(await toCall()).toEqual(['Ana Cole'])
      await unskipService({ date }, at('2025-01-06T15:01'))
      await skipService({ date }, at('2025-01-11T18:00'))
      expect(await toCall()).toEqual(['Ana Cole'])
      await unskipService({ date }, at('2025-01-11T18:01'))
      await sendBetween(mail, '2025-01-06T15:00', '2025-01-06T15:30')
      expect(taken).toEqual([])
      await skipService({ date }, at('2025-01-06T16:00'))
      await sendBetween(mail, '2025-01-06T16:05', '2025-01-06T16:05')
      await unskipService({ date }, at('2025-01-06T16:06'))
      await skipService({ date }, at('2025-01-06T16:07'))
      await sendBetween(mail, '2025-01-06T16:08', '2025-01-06T16:30')
      expect(taken).toHaveLength(1)
    })

    it('names the next service after it, also weeks before', async () => {
      const { taken, mail } = await startSmtpServer()
      await sendRsvp({ serviceDate: '2025-01-18' })
      await skipService({ date: '2025-01-18' }, at(monday))
      await sendBetween(mail, '2025-01-06T14:05', '2025-01-06T14:10')
      expect(taken[0]?.text).toContain('The next is on Saturday, January 25.')
    })

    it('names all days that are skipped together in one message', async () => {
      const { taken, mail } = await startSmtpServer()
      for (const serviceDate of [date, '2025-01-18']) await sendRsvp({ serviceDate })
      const change = { skippedDates: [date, '2025-01-18'], skipReason: 'We are away.' }
      expect(await changeSchedule(change, at(monday))).toMatchObject({ skippedRsvps: 2, toldRsvps: 2 })
      await sendBetween(mail, '2025-01-06T14:05', '2025-01-06T14:10')
      expect(taken.map(({ text }) => text)).toEqual([
        expect.stringMatching(
          /No service on Saturday, January 11.*away.*No service on Saturday, January 18.*away.*January 25/s,
        ),
      ])
    })
  })

  it('tells 40 prayer requests of a morning, two at once and the others together each half hour', async () => {
    const { taken, mail } = await startSmtpServer()
    await changeSettings({ prayers: true }, testCall())
    await addAdministrator({ mail: ['prayers'], prayers: 'pastor' })
    for (let minute = 10; minute < 59; minute++) {
      const moment = `2025-01-05T14:${minute}`
      const prayer = `Need ${minute}`
      if (minute < 50) await sendRsvp({ email: `ana@${minute}.example`, prayer }, new Date(`${moment}Z`), true)
      await sendBetween(mail, moment, moment)
    }
    await sendBetween(mail, '2025-01-05T15:00', '2025-01-05T15:10', 10)
    const told = taken.filter(({ recipient }) => recipient.startsWith('ruth'))
    const subjects = told.map(({ subject }) => subject?.replace('A prayer request', '1').replace(/\D/g, ''))
    expect(subjects).toEqual(['1', '1', '29', '9'])
    expect(new Set(told.flatMap(({ text }) => text?.match(/^> Need .*/gm) ?? [])).size).toBe(40)
  })
})
