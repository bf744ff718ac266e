import { asc, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { administrators } from '#db/access/table.ts'
import { addAdministrator, emptyTables, openForTests, testCall, testRsvp } from '#db/fixtures.ts'
import type { Audience } from '#db/prayer/schema.ts'
import { prayers } from '#db/prayer/table.ts'
import { changeSchedule } from '#db/rsvp/service-dates.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { schedules, skippedDates } from '#db/schedule/table.ts'
import { standingRsvps } from '#db/standing/table.ts'
import { db, transaction } from '#db/storage/client.ts'
import { queuePrayerMail } from './administrators.ts'
import { queueScheduledMail } from './scheduled.ts'
import { mailQueue, mailState } from './table.ts'

const at = (moment: string) => testCall({ now: new Date(moment), sendsMail: true })
/** Before the first service of a test; without mail, so that no confirmation is queued. */
const monday = testCall({ role: 'visitor', actor: 'visitor' })
const none: string[] = []

/** The keys of all that is queued once this moment was looked at, twice as after a restart. */
async function queuedAt(...moments: string[]): Promise<string[]> {
  for (const moment of moments) {
    await queueScheduledMail(at(moment))
    await queueScheduledMail(at(moment))
  }
  const queued = await db.select({ key: mailQueue.key }).from(mailQueue).orderBy(asc(mailQueue.id))
  return queued.map(({ key }) => key)
}

async function send(changes: Record<string, unknown> = {}, call = monday): Promise<number> {
  return (await createRsvp({ ...testRsvp({ remind: true, ...changes }), idempotencyKey: crypto.randomUUID() }, call)).id
}

async function change(id: number, changes: Partial<typeof rsvps.$inferInsert>): Promise<void> {
  await transaction((tx) => tx.update(rsvps).set(changes).where(eq(rsvps.id, id)))
}

describe('queueScheduledMail', () => {
  openForTests()
  beforeEach(async () => {
    await emptyTables(mailQueue, mailState, prayers, rsvps, standingRsvps, administrators, schedules, skippedDates)
    await changeSchedule({ weekday: 6, timeZone: 'America/Chicago' }, testCall())
  })

  // In each zone the clocks change in the night before the service: the moments are those of the day before.
  it.each([
    [
      'America/Chicago',
      '2025-03-03T12:00:00Z',
      '2025-03-08T16:00:00.000Z',
      '2025-03-08T23:00:00.000Z',
      '2025-03-09T15:00:00.000Z',
    ],
    [
      'Europe/Berlin',
      '2025-10-20T12:00:00Z',
      '2025-10-25T08:00:00.000Z',
      '2025-10-25T15:00:00.000Z',
      '2025-10-26T09:00:00.000Z',
    ],
    [
      'Pacific/Auckland',
      '2025-03-31T12:00:00Z',
      '2025-04-04T21:00:00.000Z',
      '2025-04-05T04:00:00.000Z',
      '2025-04-05T22:00:00.000Z',
    ],
  ])(
    'reminds at ten and sends the sheet at five on the day before, in %s',
    async (timeZone, sent, ten, five, start) => {
      await changeSchedule({ weekday: 0, timeZone }, testCall({ now: new Date(sent) }))
      const clerk = await addAdministrator({ mail: ['sheet'] })
      const id = await send({}, { ...monday, now: new Date(sent) })
      const justBefore = (moment: string) => new Date(Date.parse(moment) - 1).toISOString()
      expect(await queuedAt(justBefore(ten))).toEqual(none)
      const [reminder = '', ...others] = await queuedAt(ten, justBefore(five))
      expect([reminder.startsWith(`reminder ${id} `), others]).toEqual([true, none])
      expect(await queuedAt(five, justBefore(start), start)).toEqual([
        reminder,
        `sheet ${reminder.split(' ')[2]} ${clerk}`,
      ])
      expect(await db.select().from(mailQueue)).toMatchObject([
        { kind: 'reminder', rsvpId: id, dueAt: ten, endsAt: start },
        { kind: 'sheet', administratorId: clerk, dueAt: five, endsAt: start },
      ])
    },
  )

  it('reminds those who come, wish it, and said so before that moment', async () => {
    const reminded = await send()
    await send({ email: 'no@cole.example', remind: false })
    await send({ email: 'away@cole.example', attending: false })
    await send({ email: 'next@cole.example', serviceDate: '2025-01-18' })
    await change(await send({ email: 'deleted@cole.example' }), { deletedAt: '2025-01-06T00:00:00.000Z' })
    await change(await send({ email: 'spam@cole.example' }), { suspicion: 'too-fast' })
    await change(await send({ email: 'caller@cole.example' }), { email: '' })
    await change(await send({ email: 'changed@cole.example' }), { changedAt: '2025-01-10T16:30:00.000Z' })
    await send({ email: 'late@cole.example' }, { ...monday, now: new Date('2025-01-10T16:00:00Z') })
    await send({ name: 'Ben Cole', email: 'ben@cole.example' })
    const again = await send({ name: 'Ben Cole', email: 'ben@cole.example' })
    const written = await send({ email: 'weekly@cole.example' }, { ...monday, now: new Date('2025-01-10T20:00:00Z') })
    await change(written, { linkHash: null, standingId: 1 })
    const expected = [reminded, again, written].map((id) => `reminder ${id} 2025-01-11`)
    expect(await queuedAt('2025-01-10T21:00:00Z')).toEqual(expected)
  })

  it('reminds of no skipped service, and again of one to which an RSVP was moved', async () => {
    const id = await send()
    await changeSchedule({ skippedDates: ['2025-01-18'] }, testCall())
    await queuedAt('2025-01-10T17:00:00Z')
    await change(id, { serviceDate: '2025-01-18' })
    expect(await queuedAt('2025-01-17T17:00:00Z', '2025-01-18T17:00:00Z')).toEqual([`reminder ${id} 2025-01-11`])
    await change(id, { serviceDate: '2025-01-25' })
    expect(await queuedAt('2025-01-24T17:00:00Z')).toEqual([`reminder ${id} 2025-01-11`, `reminder ${id} 2025-01-25`])
  })

  it('sends a digest at six of each day on which something came, and none later for a day that was missed', async () => {
    const clerk = await addAdministrator({ mail: ['digest'] })
    await addAdministrator({ name: 'Gone', email: 'gone@cole.example', mail: ['digest'], removedAt: 1 })
    expect(await queuedAt('2025-01-06T00:30:00Z')).toEqual(none)
    await send()
    await change(await send({ email: 'entered@cole.example' }), {
      linkHash: null,
      createdAt: '2025-01-08T12:00:00.000Z',
    })
    expect(await queuedAt('2025-01-05T23:59:00Z', '2025-01-06T00:00:00Z', '2025-01-06T05:59:00Z')).toEqual([
      `digest 2025-01-05 ${clerk}`,
    ])
    await send({ email: 'tuesday@cole.example' }, { ...monday, now: new Date('2025-01-07T18:00:00Z') })
    // Down on the evening of that day: it is in the digest of the next.
    expect(await queuedAt('2025-01-08T12:00:00Z', '2025-01-09T01:00:00Z', '2025-01-10T01:00:00Z')).toEqual([
      `digest 2025-01-05 ${clerk}`,
      `digest 2025-01-08 ${clerk}`,
    ])
  })

  it('asks a household once that has not been heard of for 335 days, and once more a year after its sign', async () => {
    const row = { name: 'Ana', email: 'ana@cole.example', familyMembers: [], volunteerRoles: [], remind: false }
    const days = { since: '2024-01-06', writtenUntil: '2025-01-04', createdAt: '2024-02-01T12:00:00.000Z' }
    const silent = { ...row, ...days, seenAt: '2024-02-01T12:00:00.000Z' }
    const others = [{ email: '' }, { endedAt: '2024-12-01T00:00:00.000Z' }, { suspicion: 'flood' as const }]
    await transaction((tx) =>
      tx.insert(standingRsvps).values([silent, ...others.map((other) => ({ ...silent, ...other }))]),
    )
    const [{ id = 0 } = {}] = await db.select().from(standingRsvps)
    expect(await queuedAt('2025-01-01T11:59:00Z')).toEqual(none)
    expect(await queuedAt('2025-01-01T12:00:00Z', '2025-01-09T12:00:00Z')).toEqual([`still-coming ${id} 2024-02-01`])
    expect(await db.select().from(mailQueue)).toMatchObject([{ standingId: id, endsAt: '2025-01-31T12:00:00.000Z' }])
    const seenAt = '2025-01-10T00:00:00.000Z'
    await transaction((tx) => tx.update(standingRsvps).set({ seenAt }).where(eq(standingRsvps.id, id)))
    expect(await queuedAt('2025-12-13T12:00:00Z')).toHaveLength(2)
    expect(await queuedAt('2026-01-20T12:00:00Z')).toHaveLength(2)
  })

  it('queues nothing that was due before a backup was restored, and nothing without a mail server', async () => {
    await addAdministrator({ mail: ['sheet'] })
    await send()
    await queueScheduledMail({ ...at('2025-01-10T23:30:00Z'), sendsMail: false })
    await transaction((tx) => tx.insert(mailState).values({ restoredAt: '2025-01-10T20:00:00.000Z' }))
    expect(await queuedAt('2025-01-10T20:01:00Z')).toEqual(none)
    expect(await queuedAt('2025-01-10T23:30:00Z')).toEqual([expect.stringMatching(/^sheet /)])
  })

  it.each<[Audience, string[]]>([
    ['service', ['group', 'pastor']],
    ['group', ['group', 'pastor']],
    ['pastor', ['pastor']],
  ])('tells a prayer request for %s to %s only', async (audience, expected) => {
    const mail = ['prayers' as const]
    const ids = new Map<number, string>()
    const people = [{ prayers: 'none' }, { prayers: 'group' }, { prayers: 'pastor' }] as const
    for (const { prayers } of people)
      ids.set(await addAdministrator({ email: `${prayers}@cole.example`, mail, prayers }), prayers)
    await addAdministrator({ email: 'other@cole.example', mail: ['sheet'], prayers: 'pastor' })
    const rsvpId = await send()
    const prayer = { rsvpId, text: 'Please', audience, createdAt: '2025-01-05T14:00:00.000Z' }
    const [{ id = 0 } = {}] = await transaction((tx) => tx.insert(prayers).values(prayer).returning())
    await transaction((tx) => queuePrayerMail(tx, id, at('2025-01-05T14:00:00Z')))
    await transaction((tx) => queuePrayerMail(tx, id, at('2025-01-05T15:00:00Z')))
    const queued = await db.select().from(mailQueue)
    expect(queued.map(({ administratorId }) => ids.get(administratorId ?? 0))).toEqual(expected)
  })
})
