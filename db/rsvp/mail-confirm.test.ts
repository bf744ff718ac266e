import { asc, desc } from 'drizzle-orm'
import { beforeEach, expect, it } from 'vitest'
import type { Call } from '#db/call.ts'
import { readKeyedHash } from '#db/keyed-hash.ts'
import { changeMailStop, hashOfAddress, stopPath } from '#db/mail/queue.ts'
import { db } from '#db/storage/client.ts'
import { mailQueue, mailStops } from '#db/tables/mail.ts'
import { rsvps } from '#db/tables/rsvp.ts'
import type { PromisedMail } from '#db/values/mail.ts'
import { describeOnBothDatabases, emptyTables, everyRow, testCall, testRsvp } from '#testing/database-fixtures.ts'
import { changeSchedule } from './change-schedule.ts'
import { listPromised } from './queue-mail.ts'
import { createRsvp, submitRsvp } from './submit.ts'

const call = testCall({ role: 'visitor', actor: 'visitor', sendsMail: true, language: 'de' })
const queued = () => db.select().from(mailQueue).orderBy(asc(mailQueue.id))

describeOnBothDatabases('the confirmation of an RSVP', () => {
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
