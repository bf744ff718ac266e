import { asc, desc } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Call } from '#db/call.ts'
import { readKeyedHash } from '#db/keyed-hash.ts'
import { changeMailStop, hashOfAddress, stopPath } from '#db/mail/stops.ts'
import { db, transaction } from '#db/storage/client.ts'
import { mailQueue, mailState, mailStops } from '#db/tables/mail.ts'
import { rsvps } from '#db/tables/rsvp.ts'
import type { PromisedMail } from '#db/values/mail.ts'
import {
  addAdministrator,
  describeOnBothDatabases,
  emptyTables,
  everyRow,
  openForTests,
  testCall,
  testRsvp,
} from '#testing/database-fixtures.ts'
import { changeSchedule } from './change-schedule.ts'
import { listNews } from './mail-content.ts'
import { changeRsvp, emptyMail, sendRsvp } from './mail-fixtures.ts'
import { listPromised, queueScheduledMail } from './queue-mail.ts'
import { createRsvp, submitRsvp } from './submit.ts'

describeOnBothDatabases('the confirmation of an RSVP', () => {
  const call = testCall({ role: 'visitor', actor: 'visitor', sendsMail: true, language: 'de' })
  const queued = () => db.select().from(mailQueue).orderBy(asc(mailQueue.id))

  beforeEach(async () => {
    await emptyTables(rsvps, mailQueue, mailStops)
    await changeSchedule({ weekday: 6, timeZone: 'UTC', closesMinutesBefore: null }, testCall())
  })

  it('is queued with it, until its service, without its address', async () => {
    const { id } = await createRsvp(testRsvp(), call)
    const mail = { key: `confirmation ${id}`, kind: 'confirmation', rsvpId: id, address: null, language: 'de' }
    expect(await queued()).toMatchObject([{ ...mail, endsAt: '2025-01-11T10:00:00.000Z' }])
    await emptyTables(rsvps)
    expect(await queued()).toEqual([])
    expect(await everyRow()).not.toContain('cole.example')
  })

  it.each([
    ['ana@cole.example', 'ANA+x@Cole.Example', true],
    ['an.na@gmail.com', 'anna+x@googlemail.com', true],
    ['an.na@cole.example', 'anna@cole.example', false],
    ['ana@räucher.example', 'ana@xn--rucher-bua.example', true],
    ['+1@cole.example', '+2@cole.example', false],
  ])('knows that %s and %s share a mailbox: %s', async (one, other, isOne) => {
    const hash = await readKeyedHash()
    expect(hashOfAddress(one, hash) === hashOfAddress(other, hash)).toBe(isOne)
  })

  it('is not queued for what may be spam, for a retry, or without a mail server', async () => {
    await createRsvp(testRsvp({ website: 'x' }), call)
    await createRsvp(testRsvp(), { ...call, sendsMail: false })
    expect(await queued()).toEqual([])
    const once = { ...testRsvp(), idempotencyKey: 'key-1' }
    await createRsvp(once, call)
    await createRsvp(once, call)
    expect(await queued()).toHaveLength(1)
  })

  it.each<[string, object, PromisedMail[] | undefined]>([
    ['a Yes', {}, ['confirmation', 'reminder']],
    ['a No', { attending: false }, ['confirmation']],
    ['a Yes after the moment of the reminder', { now: new Date('2025-01-10T10:00:00Z') }, ['confirmation']],
    ['a field that a password manager has filled', { website: 'x' }, undefined],
    ['a form that was sent too fast', { formAge: 10 }, undefined],
    ['an address that has stopped it', { email: 'stop@roe.example' }, undefined],
    ['a service that has begun', { now: new Date('2025-01-11T10:30:00Z') }, undefined],
    ['a site without mail', { sendsMail: false }, undefined],
  ])('is promised or not after %s, also when it is sent again or the page is opened anew', async (_, changes, mail) => {
    const key = stopPath('stop+x@roe.example', await readKeyedHash()).split('key=')[1]
    await changeMailStop({ key, stopped: true }, call)
    const { now = call.now, sendsMail = true, ...sent } = changes as Partial<Call>
    const sender = { ...call, now, sendsMail }
    const rsvp = { ...testRsvp({ remind: true, ...sent }), idempotencyKey: crypto.randomUUID() }
    const replies = [await submitRsvp(rsvp, sender), await submitRsvp(rsvp, sender)]
    expect(replies.map((reply) => reply.mail)).toEqual([mail, mail])
    const [stored] = await db.select().from(rsvps).orderBy(desc(rsvps.id)).limit(1)
    expect(await listPromised({ rsvpId: stored?.id ?? 0 }, sender)).toEqual(mail ?? [])
  })
})

describe('queueScheduledMail', () => {
  const at = (moment: string) => testCall({ now: new Date(moment), sendsMail: true })
  const none: string[] = []

  /** The keys of all that is queued once these moments have passed, each seen by two instances at once and after a restart. */
  async function queuedAt(...moments: string[]): Promise<string[]> {
    for (const moment of moments) {
      await Promise.all([queueScheduledMail(at(moment)), queueScheduledMail(at(moment))])
      await queueScheduledMail(at(moment))
    }
    const queued = await db.select({ key: mailQueue.key }).from(mailQueue).orderBy(asc(mailQueue.key))
    return queued.map(({ key }) => key)
  }

  /** Sends an RSVP with an address of its own, which becomes what `changes` say. */
  async function sendAs(email: string, sent = {}, changes = {}, moment = '2025-01-05T14:00:00Z'): Promise<number> {
    const { id } = await sendRsvp({ email: `${email}@cole.example`, ...sent }, new Date(moment))
    await changeRsvp(id, { remind: true, ...sent, ...changes })
    return id
  }

  openForTests()
  beforeEach(emptyMail)

  // The clocks change in the night before the service, and the moments are those of the day before.
  it.each([
    ['America/Chicago', '03-03', '03-08T16', '03-08T23', '03-09T15'],
    ['Europe/Berlin', '10-20', '10-25T08', '10-25T15', '10-26T09'],
    ['Pacific/Auckland', '03-31', '04-04T21', '04-05T04', '04-05T22'],
  ])('reminds at ten and sends the sheet at five on the day before, in %s', async (timeZone, ...times) => {
    const [sent = '', ten = '', five = '', start = ''] = times.map((time) =>
      new Date(`2025-${time}${time.includes('T') ? ':00' : ''}Z`).toISOString(),
    )
    const justBefore = (moment: string) => new Date(Date.parse(moment) - 1).toISOString()
    await changeSchedule({ weekday: 0, timeZone }, testCall({ now: new Date(sent) }))
    const administratorId = await addAdministrator({ mail: ['sheet'] })
    const { id: rsvpId } = await sendRsvp({}, new Date(sent))
    expect(await queuedAt(justBefore(ten))).toEqual(none)
    expect(await queuedAt(ten, justBefore(five))).toHaveLength(1)
    expect(await queuedAt(five, justBefore(start), start)).toHaveLength(2)
    expect(await db.select().from(mailQueue)).toMatchObject([
      { kind: 'reminder', rsvpId, language: 'en', dueAt: ten, endsAt: start },
      { kind: 'sheet', administratorId, dueAt: five, endsAt: start },
    ])
  })

  it('reminds those who come, wish it, and said so before that moment', async () => {
    const reminded = await sendAs('ana')
    await sendAs('no', { remind: false })
    await sendAs('away', { attending: false })
    await sendAs('next', { serviceDate: '2025-01-18' })
    await sendAs('deleted', {}, { deletedAt: '2025-01-06T00:00:00.000Z' })
    await sendAs('spam', {}, { suspicion: 'too-fast' })
    await sendAs('caller', {}, { email: '' })
    await sendAs('changed', {}, { changedAt: '2025-01-10T16:30:00.000Z' })
    await sendAs('late', {}, {}, '2025-01-10T16:00:00Z')
    const written = await sendAs('weekly', {}, { linkHash: null, standingId: 1 }, '2025-01-10T20:00:00Z')
    const expected = [reminded, written].map((id) => `reminder ${id} 2025-01-11`).sort()
    expect(await queuedAt('2025-01-10T21:00:00Z')).toEqual(expected)
  })

  it('reminds of no skipped service, and again of one to which an RSVP has moved', async () => {
    const id = await sendAs('ana')
    await changeSchedule({ skippedDates: ['2025-01-18'] }, testCall())
    await queuedAt('2025-01-10T17:00:00Z')
    await changeRsvp(id, { serviceDate: '2025-01-18' })
    expect(await queuedAt('2025-01-17T17:00:00Z', '2025-01-18T17:00:00Z')).toEqual([`reminder ${id} 2025-01-11`])
    await changeRsvp(id, { serviceDate: '2025-01-25' })
    expect(await queuedAt('2025-01-24T17:00:00Z')).toHaveLength(2)
  })

  it('queues a digest at six of each day, also if the site is down then, with what visitors have sent in that day', async () => {
    const clerk = await addAdministrator({ mail: ['digest'] })
    await addAdministrator({ name: 'Gone', email: 'gone@cole.example', mail: ['digest'], removedAt: 1 })
    await addAdministrator({ email: 'reader@cole.example', mail: ['digest'], role: 'reader', seesContacts: true })
    const moments = ['2025-01-05T00:00:00Z', '2025-01-05T00:00:01Z', '2025-01-06T00:00:00Z', '2025-01-06T00:00:01Z']
    for (const moment of moments) await sendAs(moment.replaceAll(':', '-'), {}, {}, moment)
    await sendAs('entered', {}, { linkHash: null })
    for (const _ of ['superseded', 'newest']) await sendAs('twice')
    expect(await queuedAt('2025-01-05T23:59:00Z')).toEqual([`digest 2025-01-04 ${clerk}`])
    await queuedAt('2025-01-06T14:00:00Z', '2025-01-06T23:59:00Z', '2025-01-07T00:00:00Z')
    const [, second, ...later] = await db.select().from(mailQueue)
    expect([second?.key, ...later.map(({ key }) => key)]).toEqual(
      [5, 6].map((day) => `digest 2025-01-0${day} ${clerk}`),
    )
    const news = second ? await listNews({ ...second, dueAt: '2025-01-06T20:00:00.000Z' }) : []
    const sent = [...moments.slice(1, 3).map((moment) => moment.replaceAll(':', '-').toLowerCase()), 'twice']
    expect(news.map(({ email }) => email.toLowerCase().split('@')[0])).toEqual(sent)
  })

  it('queues nothing that was due before a backup was restored, and nothing without a mail server', async () => {
    await addAdministrator({ mail: ['sheet'] })
    await sendRsvp()
    await queueScheduledMail({ ...at('2025-01-10T23:30:00Z'), sendsMail: false })
    await transaction((tx) => tx.insert(mailState).values({ restoredAt: '2025-01-10T20:00:00.000Z' }))
    expect(await queuedAt('2025-01-10T20:01:00Z')).toEqual(none)
    expect(await queuedAt('2025-01-10T23:30:00Z')).toEqual([expect.stringMatching(/^sheet /)])
  })
})
