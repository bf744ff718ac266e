import { beforeEach, describe, expect, it } from 'vitest'
import { readKeyedHash } from '#db/keyed-hash.ts'
import { isMailDue, type Sender, sendDue } from '#db/mail/deliver.ts'
import { forgetOldMail } from '#db/mail/queue.ts'
import { startSmtpServer } from '#db/mail/smtp-fixtures.ts'
import { changeMailStop, stopPath } from '#db/mail/stops.ts'
import { changeSchedule } from '#db/rsvp/change-schedule.ts'
import { changeRsvp, emptyMail, sendRsvp, targetsOf } from '#db/rsvp/mail-fixtures.ts'
import { sendLink } from '#db/rsvp/own-rsvp.ts'
import { queueScheduledMail } from '#db/rsvp/queue-mail.ts'
import { listToCall } from '#db/rsvp/sheet.ts'
import { skipService, unskipService } from '#db/rsvp/skip-fixtures.ts'
import { changeSettings } from '#db/settings.ts'
import { addAdministrator, openForTests, testCall } from '#testing/database-fixtures.ts'
import { compose } from './compose.ts'

const { now } = testCall()

/** Queues and sends due mail every minute, or less often, as the site does. */
async function sendBetween(mail: Sender['mail'], from: string, until: string, minutes = 1): Promise<void> {
  const never = new AbortController().signal
  const sender = { holder: 'this', mail, compose, origin: 'https://rsvp.example.org', stopping: never, ending: never }
  for (let at = Date.parse(`${from}Z`); at <= Date.parse(`${until}Z`); at += minutes * 60_000) {
    const call = () => testCall({ now: new Date(at), sendsMail: true })
    await queueScheduledMail(call())
    if (await isMailDue(call().now)) await sendDue(sender, call)
  }
}

describe('sending mail', () => {
  openForTests()
  beforeEach(emptyMail)

  it('allows six messages of all kinds to a mailbox, and then one a day', async () => {
    const { taken, mail } = await startSmtpServer()
    for (let at = 0; at < 60; at++) await sendRsvp({ email: `ana+${at}@cole.example` }, now, true)
    await sendRsvp({ name: 'Bo Roe', email: 'bo@roe.example' }, now, true)
    await sendBetween(mail, '2025-01-05T14:00', '2025-01-05T14:10')
    const expected = ['bo@roe.example', ...Array.from({ length: 6 }, (_, at) => `ana+${at}@cole.example`)]
    expect(taken.map(({ recipient }) => recipient).toSorted()).toEqual(expected.toSorted())
    await sendLink({ email: 'Ana+7@cole.example' }, { ...testCall({ role: 'visitor' }), now, sendsMail: true })
    await sendBetween(mail, '2025-01-05T15:00', '2025-01-12T15:00', 60)
    const later = taken.slice(expected.length)
    expect(later.filter(({ recipient }) => recipient.startsWith('ana'))).toHaveLength(6)
    expect(later.filter(({ recipient }) => recipient.startsWith('bo'))).toMatchObject([
      { subject: 'A reminder for Saturday, January 11' },
    ])
  })

  describe('about a skipped service', () => {
    const at = (moment: string) => testCall({ now: new Date(`${moment}Z`), sendsMail: true })
    const [monday, tuesday] = ['2025-01-06T14:00', '2025-01-07T14:00']
    const date = '2025-01-11'
    const toCall = async () => (await listToCall({ week: date }, at(tuesday))).map(({ name }) => name)
    const stop = async (email: string) =>
      changeMailStop({ key: stopPath(email, await readKeyedHash()).split('key=')[1], stopped: true }, at(monday))

    it('reaches those who come by mail, and lists the others to be called', async () => {
      const { taken, mail } = await startSmtpServer((step, to) =>
        step === 'recipient' && /^(bad|late)/.test(to) ? (to.startsWith('bad') ? 550 : 450) : 'go on',
      )
      for (const name of ['Ana Cole', 'Ana Cole']) await sendRsvp({ name, familyMembers: [{ name: 'Ben' }] })
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
      const told = 'The heating is broken.\n\nYou have told us who comes: Ana Cole and Ben\n\nWeekly Service\n'
      expect(text).toContain(`\n\n${told}The next is on Saturday, January 18.\n10:00 AM to 12:00 PM\n\nLocation\n`)
      expect(text).toMatch(/Stop all messages to this address:\nhttps/)
      expect(await targetsOf(text)).toHaveLength(1)
      expect(await toCall()).toEqual(['Bad Roe', 'Call Roe', 'Late Roe', 'Spam Roe', 'Stop Roe'])
      await skipService({ date }, at(tuesday))
      // The news that the service takes place after all reaches the same people, also weeks later.
      await forgetOldMail(at('2025-01-07T15:00'))
      await unskipService({ date }, at(tuesday))
      await sendBetween(mail, '2025-01-07T14:05', '2025-01-07T14:10')
      expect(taken.slice(3).map(({ recipient }) => recipient)).toEqual(recipients)
      expect(taken[3]?.subject).toBe('The service on Saturday, January 11 takes place after all.')
      expect(taken[3]?.text).toMatch(/comes: Ana Cole and Ben\n\nWeekly Service\nSaturday, January 11\n10:00 AM/)
    })

    it('sends nothing if the skip is undone within minutes, without a mail server, or after the service', async () => {
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

    it('names the service after the skipped one, also weeks before', async () => {
      const { taken, mail } = await startSmtpServer()
      await sendRsvp({ serviceDate: '2025-01-18' })
      await skipService({ date: '2025-01-18' }, at(monday))
      await sendBetween(mail, '2025-01-06T14:05', '2025-01-06T14:10')
      expect(taken[0]?.text).toContain('The next is on Saturday, January 25.')
    })
  })

  it('sends six prayer requests at once, and then one every ten minutes', async () => {
    const { taken, mail } = await startSmtpServer()
    await changeSettings({ prayers: true }, testCall())
    await addAdministrator({ mail: ['prayers'], prayers: 'pastor' })
    for (let at = 0; at < 9; at++) await sendRsvp({ email: `ana@${at}.example`, prayer: `Need ${at}` }, now, true)
    const requests = () => taken.flatMap(({ text }) => text?.match(/^> Need .*/gm) ?? [])
    await sendBetween(mail, '2025-01-05T14:00', '2025-01-05T14:09')
    expect(requests()).toHaveLength(6)
    await sendBetween(mail, '2025-01-05T14:10', '2025-01-05T14:30')
    expect(new Set(requests()).size).toBe(9)
  })
})
